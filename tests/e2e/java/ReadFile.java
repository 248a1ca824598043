// Reads a text file in every blocking way of java.io and java.nio.file.
// args: in/data.txt
// stdout: ^nonce @NONCE@$
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileReader;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

public class ReadFile {
    public static void main(String[] args) throws Exception {
        String name = args[0];
        try (InputStream in = new FileInputStream(name)) {
            System.out.println("available " + in.available() + ", first byte " + in.read());
            System.out.println("skipped " + in.skip(4) + ", then " + new String(in.readNBytes(5)));
            System.out.println("rest " + in.readAllBytes().length);
        }
        try (BufferedReader in = new BufferedReader(new FileReader(name))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println(line);
            }
        }
        System.out.println(Files.readAllLines(Path.of(name)));
        System.out.println(Files.readString(Path.of(name)).hashCode());
        try (var lines = Files.lines(Path.of(name))) {
            System.out.println(lines.filter(line -> line.contains("line")).count() + " of the lines say so");
        }
    }
}
