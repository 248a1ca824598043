// A sequence lock: readers take nothing, and read again when the number was odd or has changed.
// stdout: ^2000 writes, 4500 reads, [0-9]+ read again, 0 torn$
import java.util.concurrent.atomic.AtomicInteger;

public class SequenceLock {
    static final AtomicInteger SEQUENCE = new AtomicInteger();
    static volatile long low;
    static volatile long high;

    public static void main(String[] args) throws Exception {
        int[] again = new int[5];
        int[] torn = new int[5];
        String seen = Crew.run(5, (number, trail) -> {
            for (int i = 0; number < 2 && i < 1000; i++) {
                int before = SEQUENCE.get();
                while (before % 2 == 1 || !SEQUENCE.compareAndSet(before, before + 1)) {
                    Thread.yield();
                    before = SEQUENCE.get();
                }
                low = i * 2L + number;
                high = low * 3;
                SEQUENCE.set(before + 2);
                trail.saw(before);
            }
            for (int i = 0; number >= 2 && i < 1500; i++) {
                int before = SEQUENCE.get();
                long a = low;
                long b = high;
                while (before % 2 == 1 || SEQUENCE.get() != before) {
                    again[number]++;
                    Thread.yield();
                    before = SEQUENCE.get();
                    a = low;
                    b = high;
                }
                torn[number] += b == a * 3 ? 0 : 1;
                trail.saw(a);
            }
        });
        System.out.println(SEQUENCE.get() / 2 + " writes, 4500 reads, " + (again[2] + again[3] + again[4])
                + " read again, " + (torn[2] + torn[3] + torn[4]) + " torn");
        System.out.println("seen " + seen);
    }
}
