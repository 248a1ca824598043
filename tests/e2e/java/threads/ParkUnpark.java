// Threads park until it is their turn; permits given early are kept, permits given twice count once.
// stdout: ^3000 turns, order [0-9a-f]+$
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

public class ParkUnpark {
    static final AtomicBoolean TAKEN = new AtomicBoolean();
    static final ConcurrentLinkedQueue<Thread> WAITING = new ConcurrentLinkedQueue<>();
    static int turns;
    static long order;

    static int lock() {
        int parks = 0;
        WAITING.add(Thread.currentThread());
        while (WAITING.peek() != Thread.currentThread() || !TAKEN.compareAndSet(false, true)) {
            LockSupport.park(ParkUnpark.class);
            parks++;
        }
        WAITING.remove();
        return parks;
    }

    static void unlock() {
        TAKEN.set(false);
        Thread next = WAITING.peek();
        LockSupport.unpark(next);
        LockSupport.unpark(next);
    }

    public static void main(String[] args) throws Exception {
        String parked = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 750; i++) {
                int parks = lock();
                turns++;
                order = order * 31 + number;
                unlock();
                trail.saw(parks);
            }
        });
        System.out.println(turns + " turns, order " + Long.toHexString(order));
        System.out.println("parked " + parked);
    }
}
