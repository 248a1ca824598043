// A pool of four threads: which of them does which task, and in which order results come.
// stdout: ^1000 tasks done by 4 threads$
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

public class FixedPool {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        AtomicInteger started = new AtomicInteger();
        List<Future<String>> results = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            results.add(pool.submit(() -> {
                Thread.yield();
                return Thread.currentThread().getName() + ":" + started.incrementAndGet();
            }));
        }
        Crew.Trail trail = new Crew.Trail();
        int[] done = new int[5];
        for (Future<String> result : results) {
            trail.saw(result.isDone());
            trail.saw(result.get());
            done[result.get().charAt("pool-1-thread-".length()) - '0']++;
        }
        pool.shutdown();
        System.out.println(pool.awaitTermination(10, TimeUnit.SECONDS) + " " + pool.isTerminated());
        for (int i = 1; i < done.length; i++) {
            System.out.println("thread " + i + " did " + done[i]);
        }
        System.out.println(started + " tasks done by 4 threads");
        System.out.println("seen " + trail.hex());
    }
}
