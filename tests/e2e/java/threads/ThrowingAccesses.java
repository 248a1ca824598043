// A store into an array throws in the middle of what canon counts as one operation: the queue copies its elements into
// an array that does not take them. What comes after that counts as ever.
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

public final class ThrowingAccesses {
    private static final int ROUNDS = 300;

    private ThrowingAccesses() { }

    private static boolean isRefused(ConcurrentLinkedQueue<Object> queue) {
        try {
            queue.toArray(new String[4]);
            return false;
        } catch (ArrayStoreException e) {
            return true;
        }
    }

    public static void main(String[] args) throws Exception {
        ConcurrentLinkedQueue<Object> queue = new ConcurrentLinkedQueue<>();
        AtomicInteger turn = new AtomicInteger();
        Object lock = new Object();
        queue.add(-1);
        System.out.println(Crew.run(4, (number, trail) -> {
            for (int i = 0; i < ROUNDS; i++) {
                trail.saw(isRefused(queue));
                if (i % 3 == 0) { // what comes next is a monitor, or none
                    synchronized (lock) {
                        lock.notifyAll();
                    }
                }
                trail.saw(turn.incrementAndGet());
                queue.add(number);
                trail.saw(queue.size());
            }
        }));
    }
}
