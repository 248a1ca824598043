// Times of files set and read back, at the precision the file system keeps.
// args: in/data.txt
// stdout: ^set 2001-09-09T01:46:40.123456789Z
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

public class FileTimes {
    public static void main(String[] args) {
        try {
            use(Path.of(args[0]));
        } catch (IOException e) {
            System.out.println(e);
        }
    }

    static void use(Path path) throws IOException {
        System.out.println("made " + Files.getLastModifiedTime(path));
        Files.setLastModifiedTime(path, FileTime.from(Instant.ofEpochSecond(1_000_000_000L, 123_456_789)));
        System.out.println("set " + Files.getLastModifiedTime(path));
        FileTime now = FileTime.from(Instant.now());
        Files.getFileAttributeView(path, BasicFileAttributeView.class)
                .setTimes(now, FileTime.fromMillis(1), null);
        var attributes = Files.readAttributes(path, "lastModifiedTime,lastAccessTime");
        System.out.println(attributes.get("lastModifiedTime") + " " + attributes.get("lastAccessTime"));
        System.out.println(now.equals(attributes.get("lastModifiedTime")));
        Files.writeString(path, "touched");
        System.out.println("touched " + Files.getLastModifiedTime(path));
    }
}
