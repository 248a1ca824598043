// A program with one thread that counts until Ctrl-C; a hook tells how far it came.
// exit: 130
// stdout: ^counted to [0-9]+
import java.util.concurrent.atomic.AtomicLong;

public class CountedUntilInterrupted {
    private static final AtomicLong COUNT = new AtomicLong();

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("counted to " + COUNT)));
        System.out.println("ready");
        while (COUNT.incrementAndGet() < 300_000_000) {
            /* long enough for the signal to come in between */
        }
    }
}
