// Files whose size is not known beforehand: /proc and devices.
// stdout: ^uptime [0-9]
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

public class ProcFiles {
    public static void main(String[] args) throws Exception {
        System.out.println("uptime " + Files.readString(Path.of("/proc/uptime")).trim());
        System.out.println(Files.size(Path.of("/proc/self/stat")) + " "
                + new String(Files.readAllBytes(Path.of("/proc/self/stat"))).split(" ")[0]);
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            lines.filter(line -> line.startsWith("Vm")).forEach(System.out::println);
        }
        System.out.println(Files.readSymbolicLink(Path.of("/proc/self/cwd")));
        byte[] random = new byte[8];
        try (FileInputStream in = new FileInputStream("/dev/urandom")) {
            System.out.println(in.read(random) + " " + Arrays.toString(random));
        }
        try (FileInputStream in = new FileInputStream("/dev/zero");
                FileInputStream none = new FileInputStream("/dev/null")) {
            System.out.println(in.read(random) + " " + random[3] + " " + none.read());
        }
        try (FileOutputStream out = new FileOutputStream("/dev/null")) {
            out.write(random);
        }
    }
}
