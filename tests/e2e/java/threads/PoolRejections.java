// A pool with a short queue, under each of the four policies: who is turned away, who has to do it himself.
// stdout: ^AbortPolicy 300: [0-9]+ done, [0-9]+ rejected$
// stdout: ^CallerRunsPolicy 300: 300 done, 0 rejected$
// stdout: ^DiscardPolicy 300: [0-9]+ done, 0 rejected$
// stdout: ^DiscardOldestPolicy 300: [0-9]+ done, 0 rejected$
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class PoolRejections {
    static void flood(RejectedExecutionHandler policy) throws InterruptedException {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(1, 2, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(4), policy);
        AtomicInteger done = new AtomicInteger();
        AtomicInteger rejected = new AtomicInteger();
        AtomicLong order = new AtomicLong();
        String seen = Crew.run(3, (number, trail) -> {
            for (int i = 0; i < 100; i++) {
                int task = i;
                try {
                    pool.execute(() -> {
                        done.incrementAndGet();
                        order.updateAndGet(hash -> hash * 31 + task * 3 + number);
                        Thread.yield();
                    });
                } catch (RejectedExecutionException e) {
                    rejected.incrementAndGet();
                }
                trail.saw(done.get());
            }
        });
        pool.shutdown();
        pool.awaitTermination(10, TimeUnit.SECONDS);
        System.out.println(policy.getClass().getSimpleName() + " 300: " + done + " done, " + rejected + " rejected");
        System.out.println("order " + Long.toHexString(order.get()) + ", seen " + seen);
    }

    public static void main(String[] args) throws Exception {
        flood(new ThreadPoolExecutor.AbortPolicy());
        flood(new ThreadPoolExecutor.CallerRunsPolicy());
        flood(new ThreadPoolExecutor.DiscardPolicy());
        flood(new ThreadPoolExecutor.DiscardOldestPolicy());
    }
}
