// A lock that serves tickets in the order in which they were drawn.
// stdout: ^6000 served, order [0-9a-f]+$
import java.util.concurrent.atomic.AtomicInteger;

public class TicketLock {
    private final AtomicInteger drawn = new AtomicInteger();
    private volatile int serving;
    private long order;

    int lock() {
        int ticket = drawn.getAndIncrement();
        int ahead = ticket - serving;
        while (serving != ticket) {
            Thread.yield();
        }
        return ahead;
    }

    void unlock() {
        serving = serving + 1; // only its holder writes it
    }

    public static void main(String[] args) throws Exception {
        TicketLock lock = new TicketLock();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 1500; i++) {
                int ahead = lock.lock();
                long order = lock.order * 31 + number;
                lock.order = order;
                lock.unlock();
                trail.saw(ahead);
                if (order % 8 == 0) {
                    Thread.yield();
                }
            }
        });
        System.out.println(lock.serving + " served, order " + Long.toHexString(lock.order));
        System.out.println("ahead " + seen);
    }
}
