// AtomicStampedReference: the same value comes again, and the stamp tells; swaps by stale stamps fail.
// stdout: ^stamp [0-9]+, 4000 attempts, [0-9]+ stale$
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicStampedReference;

public class AtomicStamped {
    public static void main(String[] args) throws Exception {
        String[] values = {"a", "b", "c"};
        AtomicStampedReference<String> cell = new AtomicStampedReference<>("a", 0);
        AtomicInteger stale = new AtomicInteger();
        String seen = Crew.run(4, (number, trail) -> {
            int[] stamp = new int[1];
            for (int i = 0; i < 1000; i++) {
                String value = cell.get(stamp);
                String next = values[(value.charAt(0) - 'a' + number) % 3];
                if (i % 10 == number) {
                    Thread.yield(); // time for others to bring the value back
                }
                if (cell.compareAndSet(value, next, stamp[0], stamp[0] + 1)) {
                    trail.saw(stamp[0]);
                } else {
                    trail.saw(-stale.incrementAndGet());
                }
                trail.saw(cell.getReference());
            }
        });
        System.out.println("stamp " + cell.getStamp() + ", 4000 attempts, " + stale + " stale");
        System.out.println(cell.getReference() + " seen " + seen);
    }
}
