// Threads that synchronise and also read: the clock, files, random numbers, hash codes. All of it is one order.
// args: in/data.txt
// stdout: ^1200 observations, of nonce @NONCE@$
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

public class InputsOfThreads {
    static long order;

    static synchronized void note(int number, long value) {
        order = order * 31 + value * 4 + number;
    }

    public static void main(String[] args) throws Exception {
        AtomicInteger observations = new AtomicInteger();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 300; i++) {
                long value = switch ((i + number) % 5) {
                    case 0 -> System.nanoTime();
                    case 1 -> ThreadLocalRandom.current().nextLong();
                    case 2 -> new Object().hashCode();
                    case 3 -> i % 50 == 3 ? Files.readString(Path.of(args[0])).hashCode() : System.currentTimeMillis();
                    default -> Thread.currentThread().hashCode();
                };
                note(number, value);
                trail.saw(observations.incrementAndGet());
            }
        });
        String nonce = Files.readAllLines(Path.of(args[0])).get(1);
        System.out.println(observations + " observations, of " + nonce);
        System.out.println("order " + Long.toHexString(order) + ", seen " + seen);
    }
}
