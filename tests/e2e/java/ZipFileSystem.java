// A zip file as a file system: listed, read, changed.
// args: in/some.zip
// stdout: ^nonce @NONCE@$
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;

public class ZipFileSystem {
    public static void main(String[] args) throws IOException {
        Path zip = Path.of(args[0]);
        if (Files.notExists(zip)) {
            System.out.println("no file");
            return;
        }
        try (FileSystem inside = FileSystems.newFileSystem(zip)) {
            try (var paths = Files.walk(inside.getPath("/"))) {
                paths.forEach(System.out::println);
            }
            System.out.print(Files.readString(inside.getPath("data.txt")));
            Files.writeString(inside.getPath("moment"), "moment " + System.nanoTime());
            Files.delete(inside.getPath("data.txt"));
        }
        try (FileSystem inside = FileSystems.newFileSystem(zip)) {
            System.out.println(Files.readString(inside.getPath("moment")) + " "
                    + Files.exists(inside.getPath("data.txt")));
        }
    }
}
