// tryLock at once, with a time-out, and interrupted: who gets the lock, and who gives up.
// stdout: ^[0-9]+ of 800 attempts got it$
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

public class TryLockTimed {
    static final ReentrantLock LOCK = new ReentrantLock();
    static int got;
    static long order;

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 200; i++) {
                if (i % 20 == 7) {
                    Thread.currentThread().interrupt();
                }
                boolean locked = false;
                try {
                    locked = i % 2 == 0 ? LOCK.tryLock() : LOCK.tryLock(20 + number * 10, TimeUnit.MICROSECONDS);
                } catch (InterruptedException e) {
                    trail.saw("interrupted");
                }
                trail.saw(locked);
                if (locked) {
                    got++;
                    order = order * 31 + number;
                    Thread.yield();
                    LOCK.unlock();
                }
            }
        });
        System.out.println(got + " of 800 attempts got it");
        System.out.println("order " + Long.toHexString(order) + ", seen " + seen);
    }
}
