// Cleaning actions that threads run by hand while the cleaner's own thread may run them too: each runs once.
// stdout: ^400 cleaned, [0-9]+ of them by the cleaner$
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicInteger;

public class CleanerThreads {
    static final AtomicInteger CLEANED = new AtomicInteger();
    static final AtomicInteger BY_CLEANER = new AtomicInteger();
    static final Cleaner CLEANER = Cleaner.create();
    static long order;

    static void clean(int number) {
        boolean byCleaner = !Thread.currentThread().getName().startsWith("hand-");
        BY_CLEANER.addAndGet(byCleaner ? 1 : 0);
        synchronized (CLEANER) {
            order = order * 31 + number * 2 + (byCleaner ? 1 : 0);
        }
        CLEANED.incrementAndGet();
    }

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(4, (number, trail) -> {
            Cleaner.Cleanable[] cleanables = new Cleaner.Cleanable[100];
            for (int i = 0; i < cleanables.length; i++) {
                int id = i * 4 + number;
                cleanables[i] = CLEANER.register(new Object(), () -> clean(id));
                if (number == 0 && i % 25 == 24) {
                    System.gc();
                }
                if (i % 2 == 1) {
                    cleanables[i - i * 7 % 5 % i].clean();
                }
                trail.saw(CLEANED.get());
            }
        });
        while (CLEANED.get() < 400) {
            System.gc();
            Thread.sleep(2);
        }
        System.out.println(CLEANED + " cleaned, " + BY_CLEANER + " of them by the cleaner");
        synchronized (CLEANER) {
            System.out.println("order " + Long.toHexString(order) + ", seen " + seen);
        }
    }
}
