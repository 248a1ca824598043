// The entries of a directory in the order the file system gives them.
// args: in
// stdout: @NONCE@
import java.io.File;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

public class ListDirectory {
    public static void main(String[] args) throws Exception {
        File directory = new File(args[0]);
        System.out.println(Arrays.toString(directory.list()));
        File[] files = directory.listFiles((where, name) -> name.startsWith("f"));
        System.out.println(files == null ? "none" : files.length + " start with f");
        System.out.println(Arrays.toString(new File(args[0], "data.txt").list()));
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory.toPath(), "*.{txt,e}")) {
            for (Path entry : entries) {
                System.out.println(entry + " " + Files.size(entry));
            }
        }
        try (var entries = Files.list(directory.toPath())) {
            System.out.println(entries.map(Path::getFileName).toList());
        }
    }
}
