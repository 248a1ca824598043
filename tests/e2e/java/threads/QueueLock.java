// The queue lock of Mellor-Crummey and Scott: each waits at a flag of its own, which its predecessor sets.
// stdout: ^3000 turns, order [0-9a-f]+$
import java.util.concurrent.atomic.AtomicReference;

public class QueueLock {
    static class Place {
        volatile boolean waiting;
        volatile Place next;
    }

    private final AtomicReference<Place> tail = new AtomicReference<>();
    private int turns;
    private long order;

    Place lock() {
        Place mine = new Place();
        mine.waiting = true;
        Place before = tail.getAndSet(mine);
        if (before != null) {
            before.next = mine;
            while (mine.waiting) {
                Thread.yield();
            }
        }
        return mine;
    }

    boolean unlock(Place mine) {
        if (mine.next == null && tail.compareAndSet(mine, null)) {
            return false;
        }
        while (mine.next == null) {
            Thread.onSpinWait();
        }
        mine.next.waiting = false;
        return true;
    }

    public static void main(String[] args) throws Exception {
        QueueLock lock = new QueueLock();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 750; i++) {
                Place mine = lock.lock();
                lock.turns++;
                lock.order = lock.order * 31 + number;
                trail.saw(lock.unlock(mine));
            }
        });
        System.out.println(lock.turns + " turns, order " + Long.toHexString(lock.order));
        System.out.println("handed on " + seen);
    }
}
