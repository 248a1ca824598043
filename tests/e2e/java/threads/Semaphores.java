// A semaphore of three permits, acquired singly, in pairs, and only if it is possible at once.
// stdout: ^at most 3 inside, [0-9]+ turned away$
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

public class Semaphores {
    static final Semaphore PERMITS = new Semaphore(3);

    public static void main(String[] args) throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger turnedAway = new AtomicInteger();
        String seen = Crew.run(6, (number, trail) -> {
            for (int i = 0; i < 500; i++) {
                int count = 1 + i % 2;
                if (i % 5 == 0) {
                    if (!PERMITS.tryAcquire(count)) {
                        trail.saw(-turnedAway.incrementAndGet());
                        continue;
                    }
                } else {
                    PERMITS.acquire(count);
                }
                trail.saw(most.accumulateAndGet(inside.addAndGet(count), Math::max));
                trail.saw(PERMITS.availablePermits());
                inside.addAndGet(-count);
                PERMITS.release(count);
            }
        });
        System.out.println("at most " + most + " inside, " + turnedAway + " turned away");
        System.out.println("seen " + seen);
    }
}
