// Links, symbolic and hard: made, read, followed; broken ones and circles.
// args: in
// stdout: ^found .*link-@NONCE@ -> data.txt
// stdout: ^circle: .*FileSystemException
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

public class SymbolicLinks {
    public static void main(String[] args) throws IOException {
        Path in = Path.of(args[0]);
        try (var entries = Files.list(in)) {
            for (Path entry : (Iterable<Path>) entries.filter(Files::isSymbolicLink)::iterator) {
                System.out.println("found " + entry + " -> " + Files.readSymbolicLink(entry));
                System.out.println(entry.toRealPath().getFileName());
            }
        }
        Path broken = Files.createSymbolicLink(in.resolve("broken"), Path.of("moment-" + System.nanoTime()));
        System.out.println(Files.exists(broken) + " " + Files.exists(broken, LinkOption.NOFOLLOW_LINKS) + " "
                + Files.readSymbolicLink(broken));
        Path hard = Files.createLink(in.resolve("hard"), in.resolve("data.txt"));
        System.out.println(Files.isSameFile(hard, in.resolve("data.txt")) + " "
                + Files.getAttribute(hard, "unix:nlink"));
        Files.createSymbolicLink(in.resolve("circle"), Path.of("circle"));
        try {
            System.out.println(in.resolve("circle").toRealPath());
        } catch (IOException e) {
            System.out.println("circle: " + e);
        }
        try {
            System.out.println(Files.readSymbolicLink(hard));
        } catch (IOException e) {
            System.out.println(e);
        }
    }
}
