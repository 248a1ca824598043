// A hook that runs at the end reads a file and the clock.
// args: in/data.txt
// stdout: ^hook reads nonce @NONCE@
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

public class ShutdownHook {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> atTheEnd(args[0])));
        Thread removed = new Thread(() -> System.out.println("never"));
        Runtime.getRuntime().addShutdownHook(removed);
        System.out.println(
                Runtime.getRuntime().removeShutdownHook(removed) + " main ends " + System.nanoTime());
    }

    static void atTheEnd(String name) {
        try {
            System.out.println("hook reads " + Files.readAllLines(Path.of(name)).get(1));
        } catch (IOException e) {
            System.out.println(e);
        }
        System.out.println("hook at " + System.nanoTime());
        try {
            Runtime.getRuntime().addShutdownHook(new Thread());
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
