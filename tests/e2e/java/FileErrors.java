// What natives throw when a file cannot be had: classes, messages and stack traces.
// args: in/data.txt
// stdout: ^java.io.FileNotFoundException: in/missing \(No such file or directory\)$
// stdout: at java.base/java.io.FileInputStream.open0\(Native Method\)$
// stdout: NotDirectoryException|NotLinkException
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;

public class FileErrors {
    static void show(Callable<?> step) {
        try {
            System.out.println(step.call());
        } catch (Exception e) {
            System.out.println(e);
            System.out.println("  " + e.getStackTrace()[0] + " of " + e.getStackTrace().length);
        }
    }

    public static void main(String[] args) throws Exception {
        show(() -> new FileInputStream("in/missing"));
        show(() -> new FileInputStream("in"));
        show(() -> new FileOutputStream("/nowhere/at/all"));
        show(() -> new FileOutputStream("in"));
        show(() -> new RandomAccessFile(args[0] + "/x", "rw"));
        show(() -> new FileInputStream("in/forbidden").read());
        show(() -> Files.newByteChannel(Path.of("in/forbidden")).size());
        show(() -> Files.readString(Path.of("in/missing")));
        show(() -> Files.readString(Path.of("in")));
        show(() -> Files.list(Path.of(args[0])));
        show(() -> Files.size(Path.of("x".repeat(300))));
        show(()
                        -> FileChannel.open(
                                Path.of(args[0]), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
        show(()
                        -> new File("in/"
                                + "y".repeat(300))
                                   .createNewFile());
        show(() -> new FileInputStream("nul\0byte"));
        FileInputStream closed = new FileInputStream("/dev/null");
        closed.close();
        show(closed::read);
        try {
            new FileInputStream("in/missing");
        } catch (Exception e) {
            e.printStackTrace(System.out);
        }
    }
}
