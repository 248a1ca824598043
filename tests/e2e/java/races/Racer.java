// A thread sleeps and sets a plain field to 0; the main thread works about as long and divides by it.
// record: --order=serial
// stdout: ^results: 
import java.util.Random;

public class Racer {
    static int d;

    static void work(long nanos) {
        for (long end = System.nanoTime() + nanos; System.nanoTime() < end; ) {
            d += 0;
        }
    }

    public static void main(String[] args) throws Exception {
        StringBuilder results = new StringBuilder("results:");
        Random random = new Random();
        for (int round = 0; round < 12; round++) {
            d = 42;
            Thread racer = new Thread(() -> {
                try {
                    Thread.sleep(15);
                } catch (InterruptedException e) {
                    results.append(" interrupted");
                }
                d = 0;
            });
            racer.start();
            work(12_000_000 + random.nextInt(12_000_000));
            try {
                results.append(' ').append(420 / d);
            } catch (ArithmeticException e) {
                results.append(' ').append(e.getMessage());
            }
            racer.join();
        }
        System.out.println(results);
    }
}
