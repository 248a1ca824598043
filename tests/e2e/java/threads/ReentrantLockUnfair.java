// A ReentrantLock that lets whoever comes first have it, entered twice by its owner.
// stdout: ^8000 holds, order [0-9a-f]+$
import java.util.concurrent.locks.ReentrantLock;

public class ReentrantLockUnfair {
    static final ReentrantLock LOCK = new ReentrantLock();
    static int holds;
    static long order;

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 1000; i++) {
                LOCK.lock();
                try {
                    holds++;
                    LOCK.lock();
                    try {
                        holds++;
                        order = order * 31 + number * LOCK.getHoldCount();
                    } finally {
                        LOCK.unlock();
                    }
                } finally {
                    LOCK.unlock();
                }
                trail.saw(LOCK.isLocked());
                trail.saw(LOCK.getQueueLength());
            }
        });
        System.out.println(holds + " holds, order " + Long.toHexString(order));
        System.out.println("seen " + seen);
    }
}
