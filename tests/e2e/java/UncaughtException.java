// An exception nobody catches: its trace on standard error, the exit status, the handler before it.
// args: in/data.txt
// exit: 1
// stdout: ^handled at
// stderr: ^Exception in thread "main" java.lang.IllegalStateException: nonce @NONCE@ at [0-9]+$
// stderr: ^	at UncaughtException.fail\(UncaughtException.java:[0-9]+\)$
// stderr: ^Caused by: java.io.FileNotFoundException: in/missing
import java.io.FileInputStream;
import java.nio.file.Files;
import java.nio.file.Path;

public class UncaughtException {
    public static void main(String[] args) throws Exception {
        Runtime.getRuntime().addShutdownHook(
                new Thread(() -> System.out.println("handled at " + System.nanoTime())));
        fail(Files.readAllLines(Path.of(args[0])).get(1));
    }

    static void fail(String text) {
        try {
            new FileInputStream("in/missing");
        } catch (Exception e) {
            throw new IllegalStateException(text + " at " + System.nanoTime(), e);
        }
    }
}
