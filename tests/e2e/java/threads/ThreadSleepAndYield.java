// Sleeps of different lengths, among them none at all, and yields: the order in which they are over.
// stdout: ^240 naps, order [0-9a-f]+$
import java.util.concurrent.TimeUnit;

public class ThreadSleepAndYield {
    static int naps;
    static long order;

    static synchronized int note(int number) {
        order = order * 31 + number;
        return ++naps;
    }

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(6, (number, trail) -> {
            for (int i = 0; i < 40; i++) {
                switch ((number + i) % 4) {
                    case 0 -> Thread.sleep(1);
                    case 1 -> TimeUnit.MICROSECONDS.sleep(300 + number);
                    case 2 -> Thread.sleep(0);
                    default -> Thread.yield();
                }
                trail.saw(note(number));
            }
        });
        System.out.println(naps + " naps, order " + Long.toHexString(order));
        System.out.println("seen " + seen);
    }
}
