// A barrier whose last arrival runs an action; at the end somebody does not come, and it breaks.
// stdout: ^300 generations, [0-9]+ timed out, broken true$
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

public class CyclicBarriers {
    static int generations; // written by the action only, while all others wait
    static long order;

    public static void main(String[] args) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(5, () -> {
            generations++;
            order = order * 31 + Thread.currentThread().getName().charAt(5);
        });
        AtomicInteger timedOut = new AtomicInteger();
        String seen = Crew.run(5, (number, trail) -> {
            for (int i = 0; i < 300; i++) {
                trail.saw(barrier.await());
            }
            if (number == 0) {
                return;
            }
            try {
                barrier.await(3, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                trail.saw(timedOut.incrementAndGet());
            } catch (BrokenBarrierException e) {
                trail.saw("broken by another");
            }
        });
        System.out.println(generations + " generations, " + timedOut + " timed out, broken " + barrier.isBroken());
        System.out.println("order " + Long.toHexString(order) + ", seen " + seen);
    }
}
