// StampedLock: readers, writers, and readers that try to become writers without letting go.
// stdout: ^[0-9]+ of 1000 upgrades failed, 2000 writes$
import java.util.concurrent.locks.StampedLock;

public class StampedLocks {
    static final StampedLock LOCK = new StampedLock();
    static int writes;
    static int failed;
    static long order;

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 500; i++) {
                long stamp = number % 2 == 0 ? LOCK.writeLock() : LOCK.readLock();
                boolean upgraded = true;
                if (number % 2 == 1) {
                    trail.saw(writes);
                    long better = LOCK.tryConvertToWriteLock(stamp);
                    upgraded = better != 0;
                    if (!upgraded) {
                        LOCK.unlockRead(stamp);
                        better = LOCK.writeLock();
                    }
                    stamp = better;
                }
                writes++;
                failed += upgraded ? 0 : 1;
                order = order * 31 + number;
                stamp = LOCK.tryConvertToReadLock(stamp);
                trail.saw(writes);
                LOCK.unlock(stamp);
            }
        });
        System.out.println(failed + " of 1000 upgrades failed, " + writes + " writes");
        System.out.println("order " + Long.toHexString(order) + ", seen " + seen);
    }
}
