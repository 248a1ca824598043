// Virtual threads with locks, conditions, park and unpark, thread locals, and children of their own.
// only: 25
// stdout: ^2400 turns$
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class VirtualLocks {
    static final ReentrantLock LOCK = new ReentrantLock();
    static final Condition CHANGED = LOCK.newCondition();
    static final ThreadLocal<Integer> MINE = ThreadLocal.withInitial(() -> 0);
    static int turns, holder;

    static void takeTurns(int number, Crew.Trail trail) throws InterruptedException {
        for (int i = 0; i < 300; i++) {
            LOCK.lock();
            try {
                while (holder == number && turns < 2000) {
                    CHANGED.await(1, TimeUnit.MILLISECONDS);
                    trail.saw(holder);
                    break;
                }
                holder = number;
                MINE.set(MINE.get() + turns++);
                CHANGED.signalAll();
            } finally {
                LOCK.unlock();
            }
        }
        trail.saw(MINE.get());
        Thread parent = Thread.currentThread();
        Thread child = Thread.startVirtualThread(() -> LockSupport.unpark(parent));
        LockSupport.parkNanos(1_000_000);
        child.join();
        trail.saw(MINE.get() == 0);
    }

    public static void main(String[] args) throws Exception {
        Map<Integer, String> seen = new ConcurrentSkipListMap<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int number = i;
            threads.add(Thread.ofVirtual().name("taker-" + i).start(() -> {
                Crew.Trail trail = new Crew.Trail();
                try {
                    takeTurns(number, trail);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                seen.put(number, trail.hex());
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(turns + " turns");
        System.out.println("seen " + seen);
    }
}
