// Attributes of files through java.io.File and java.nio.file: sizes, times, inode numbers.
// args: in/data.txt in
// stdout: ^size 44,
import java.io.File;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.TreeMap;

public class FileAttributes {
    public static void main(String[] args) throws Exception {
        for (String name : new String[] {args[0], args[1], "in/nothing-here"}) {
            File file = new File(name);
            System.out.println(name + ": " + file.exists() + file.isFile() + file.isDirectory()
                    + file.isHidden() + file.canRead() + file.canWrite() + file.canExecute() + " "
                    + file.lastModified());
            System.out.println(file.getAbsolutePath() + " " + file.getCanonicalPath());
        }
        Path path = Path.of(args[0]);
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        System.out.println("size " + attributes.size() + ", key " + attributes.fileKey());
        System.out.println(attributes.creationTime() + " " + attributes.lastModifiedTime() + " "
                + attributes.lastAccessTime());
        System.out.println(new TreeMap<>(Files.readAttributes(path, "unix:*", LinkOption.NOFOLLOW_LINKS)));
        System.out.println(Files.isSameFile(path, path.toRealPath()) + " " + Files.isReadable(path) + " "
                + Files.isHidden(path) + " " + Files.notExists(Path.of("in/nothing-here")) + " "
                + Files.probeContentType(path));
        File file = path.toFile();
        System.out.println(file.setReadOnly() + " " + file.setWritable(true) + " " + file.setExecutable(true)
                + " " + file.setLastModified(1_000_000_000_000L) + " " + file.lastModified());
    }
}
