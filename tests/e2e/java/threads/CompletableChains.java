// Chains of asynchronous stages that join, combine and recover: in which order the stages ran, and on which threads.
// jvm: -Djava.util.concurrent.ForkJoinPool.common.parallelism=3
// stdout: ^100 chains, sum 10100, order [0-9a-f]+$
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

public class CompletableChains {
    static long order;

    static synchronized int stage(int chain, int stage) {
        order = order * 31 + chain * 10 + stage;
        return 1;
    }

    static CompletableFuture<Integer> chain(int number) {
        CompletableFuture<Integer> left = CompletableFuture.supplyAsync(() -> stage(number, 1) + number);
        CompletableFuture<Integer> right = CompletableFuture.supplyAsync(() -> stage(number, 2) + number);
        return left.thenCombine(right, (a, b) -> a + b - stage(number, 3))
                .thenComposeAsync(sum -> CompletableFuture.supplyAsync(() -> sum - stage(number, 4)))
                .thenApply(sum -> {
                    stage(number, 5); // on whichever thread completes it, or on main
                    if (number % 10 == 0) {
                        throw new IllegalStateException();
                    }
                    return sum;
                })
                .exceptionallyAsync(e -> number * 2 + stage(number, 6) - 1)
                .whenCompleteAsync((sum, e) -> stage(number, 7))
                .handle((sum, e) -> sum);
    }

    public static void main(String[] args) {
        List<CompletableFuture<Integer>> chains = new ArrayList<>();
        for (int i = 1; i <= 100; i++) {
            chains.add(chain(i));
        }
        CompletableFuture.allOf(chains.toArray(new CompletableFuture<?>[0])).join();
        int sum = 0;
        for (CompletableFuture<Integer> chain : chains) {
            sum += chain.join();
        }
        synchronized (CompletableChains.class) {
            System.out.println("100 chains, sum " + sum + ", order " + Long.toHexString(order));
        }
    }
}
