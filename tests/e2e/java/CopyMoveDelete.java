// Makes, copies, renames and deletes files and directories, and fails to.
// args: in/data.txt
// stdout: FileAlreadyExistsException
// stdout: DirectoryNotEmptyException
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

public class CopyMoveDelete {
    interface Step {
        Object run() throws IOException;
    }

    static void show(Step step) {
        try {
            System.out.println(step.run());
        } catch (IOException e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) {
        Path source = Path.of(args[0]);
        Path directory = Path.of("made-" + System.nanoTime());
        Path copy = directory.resolve("copy");
        show(() -> Files.createDirectories(directory.resolve("a/b/c")));
        show(() -> Files.createDirectory(directory));
        show(() -> Files.copy(source, copy, StandardCopyOption.COPY_ATTRIBUTES));
        show(() -> Files.copy(source, copy));
        show(() -> Files.mismatch(source, copy));
        show(() -> Files.copy(copy, System.out));
        show(() -> Files.move(copy, directory.resolve("moved"), StandardCopyOption.ATOMIC_MOVE));
        show(() -> Files.exists(copy));
        show(() -> Files.deleteIfExists(copy));
        show(() -> Files.deleteIfExists(directory.resolve("a")));
        File file = directory.resolve("moved").toFile();
        System.out.println(file.renameTo(new File(directory.toFile(), "renamed")) + " " + file.exists() + " "
                + new File(directory.toFile(), "x/y").mkdirs() + " "
                + new File(directory.toFile(), "x").delete() + " "
                + new File(directory.toFile(), "x/y").delete());
        show(() -> new File(directory.toFile(), "new").createNewFile());
        show(() -> new File(directory.toFile(), "new").createNewFile());
        show(() -> new File("/nowhere/at/all").createNewFile());
    }
}
