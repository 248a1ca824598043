// A fair ReentrantLock hands itself on in the order of arrival; an untimed tryLock still barges in.
// stdout: ^3000 turns, [0-9]+ of them barged in$
import java.util.concurrent.locks.ReentrantLock;

public class ReentrantLockFair {
    static final ReentrantLock LOCK = new ReentrantLock(true);
    static int turns;
    static int barged;
    static long order;

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(5, (number, trail) -> {
            for (int i = 0; i < 600; i++) {
                boolean first = i % 4 == 0 && LOCK.tryLock();
                if (!first) {
                    LOCK.lock();
                }
                try {
                    turns++;
                    barged += first ? 1 : 0;
                    order = order * 31 + number;
                    trail.saw(LOCK.hasQueuedThreads());
                } finally {
                    LOCK.unlock();
                }
            }
        });
        System.out.println(turns + " turns, " + barged + " of them barged in");
        System.out.println("order " + Long.toHexString(order) + ", seen " + seen);
    }
}
