// Futures that virtual threads complete, whichever comes first; tasks that fail; more than a hundred threads.
// only: 25
// stdout: ^150 of 150, failed 30$
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class VirtualFutures {
    static final AtomicInteger COUNT = new AtomicInteger();
    static final StringBuffer WINNERS = new StringBuffer();

    static int work(int number) {
        for (int i = 0; i < 20; i++) {
            COUNT.incrementAndGet();
            Thread.yield();
        }
        if (number % 5 == 0) {
            throw new IllegalArgumentException("task " + number);
        }
        return COUNT.incrementAndGet() * 1000 + number;
    }

    public static void main(String[] args) throws Exception {
        long seen = 0;
        int done = 0, failed = 0;
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 30; round++) {
                List<CompletableFuture<Integer>> futures = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    int number = round * 5 + i;
                    futures.add(CompletableFuture.supplyAsync(() -> work(number), executor));
                }
                CompletableFuture<?>[] some = futures.subList(1, 5).toArray(new CompletableFuture<?>[0]);
                WINNERS.append(CompletableFuture.anyOf(some).get()).append(' ');
                for (CompletableFuture<Integer> future : futures) {
                    done++;
                    try {
                        seen = seen * 31 + future.get();
                    } catch (ExecutionException e) {
                        failed++;
                        seen = seen * 31 + e.getCause().getMessage().hashCode();
                    }
                }
            }
        }
        System.out.println(done + " of 150, failed " + failed);
        System.out.println("winners " + WINNERS + "seen " + Long.toHexString(seen));
    }
}
