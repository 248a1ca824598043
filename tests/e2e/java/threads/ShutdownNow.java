// shutdownNow in the middle of the work: what was done, what was interrupted, what was never begun.
// stdout: ^10 x 200 tasks: [0-9]+ done, [0-9]+ interrupted, [0-9]+ never begun$
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

public class ShutdownNow {
    public static void main(String[] args) throws Exception {
        AtomicInteger done = new AtomicInteger();
        AtomicInteger interrupted = new AtomicInteger();
        int neverBegun = 0;
        Crew.Trail trail = new Crew.Trail();
        for (int round = 0; round < 10; round++) {
            ExecutorService pool = Executors.newFixedThreadPool(3);
            for (int i = 0; i < 200; i++) {
                pool.execute(() -> {
                    try {
                        Thread.sleep(0, 100_000);
                        done.incrementAndGet();
                    } catch (InterruptedException e) {
                        interrupted.incrementAndGet();
                    }
                });
            }
            Thread.sleep(round % 4);
            List<Runnable> rest = pool.shutdownNow();
            pool.awaitTermination(10, TimeUnit.SECONDS);
            neverBegun += rest.size();
            trail.saw(rest.size());
            trail.saw(done.get());
        }
        System.out.println("10 x 200 tasks: " + done + " done, " + interrupted + " interrupted, "
                + neverBegun + " never begun");
        System.out.println("seen " + trail.hex());
    }
}
