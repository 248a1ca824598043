// ReentrantReadWriteLock, fair and not: what readers see, and a writer that turns into a reader.
// stdout: ^1600 written, 1600 read by their writer$
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class ReadWriteLocks {
    static int written;
    static long order;

    public static void main(String[] args) throws Exception {
        int[] kept = new int[4];
        for (boolean fair : new boolean[] {false, true}) {
            ReentrantReadWriteLock lock = new ReentrantReadWriteLock(fair);
            String seen = Crew.run(4, (number, trail) -> {
                for (int i = 0; i < 800; i++) {
                    if (i % 4 != number) {
                        lock.readLock().lock();
                        trail.saw(written);
                        trail.saw(lock.getReadLockCount());
                        lock.readLock().unlock();
                        continue;
                    }
                    lock.writeLock().lock();
                    int mine = ++written;
                    order = order * 31 + number;
                    lock.readLock().lock();
                    lock.writeLock().unlock();
                    kept[number] += written == mine ? 1 : 0; // a reader keeps writers out
                    lock.readLock().unlock();
                }
            });
            System.out.println("seen " + seen + " " + lock.isFair());
        }
        System.out.println(written + " written, " + (kept[0] + kept[1] + kept[2] + kept[3]) + " read by their writer");
        System.out.println("order " + Long.toHexString(order));
    }
}
