// A lock that is spun on: look first, then try to set it; plain fields are safe behind it.
// stdout: ^12000 turns, order [0-9a-f]+$
import java.util.concurrent.atomic.AtomicBoolean;

public class SpinLock {
    private final AtomicBoolean taken = new AtomicBoolean();
    private int turns;
    private long order;

    int lock() {
        int failures = 0;
        while (true) {
            for (int spins = 1; taken.get(); spins++) {
                if (spins % 100 == 0) {
                    Thread.yield();
                } else {
                    Thread.onSpinWait();
                }
            }
            if (taken.compareAndSet(false, true)) {
                return failures;
            }
            failures++;
        }
    }

    void unlock() {
        taken.set(false);
    }

    public static void main(String[] args) throws Exception {
        SpinLock lock = new SpinLock();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 3000; i++) {
                int failures = lock.lock();
                lock.turns++;
                lock.order = lock.order * 31 + number;
                lock.unlock();
                trail.saw(failures);
            }
        });
        System.out.println(lock.turns + " turns, order " + Long.toHexString(lock.order));
        System.out.println("failures " + seen);
    }
}
