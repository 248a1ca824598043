// Writes files in every way and reads them back; a replay reads what it never wrote.
// stdout: ^appended [0-9]+$
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FileWriter;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

public class WriteThenRead {
    public static void main(String[] args) throws Exception {
        Path path = Path.of("made.txt");
        try (PrintWriter out = new PrintWriter(new FileWriter("made.txt"))) {
            out.printf("started %d%n", System.currentTimeMillis());
        }
        Files.writeString(path, "appended " + System.nanoTime() + "\n", StandardOpenOption.APPEND);
        System.out.print(Files.readString(path));
        try (FileOutputStream out = new FileOutputStream("made.bin")) {
            out.write(7);
            out.write(new byte[300_000]);
            System.out.println("position " + out.getChannel().position());
        }
        try (DataOutputStream out = new DataOutputStream(
                     new BufferedOutputStream(new FileOutputStream("made.bin", true)))) {
            for (int i = 0; i < 10_000; i++) {
                out.writeInt(i);
            }
            out.writeLong(System.nanoTime());
        }
        try (DataInputStream in = new DataInputStream(new FileInputStream("made.bin"))) {
            System.out.println(in.read() + " " + in.skip(340_000) + " " + in.readLong() + " " + in.read());
        }
        System.out.println(
                Files.size(Path.of("made.bin")) + " " + path.toFile().delete() + " " + Files.exists(path));
    }
}
