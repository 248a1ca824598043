// anyOf, applyToEither, complete by hand and time-outs: several want to complete a future, one does.
// jvm: -Djava.util.concurrent.ForkJoinPool.common.parallelism=4
// stdout: ^200 races won by [0-9]+/[0-9]+/[0-9]+, [0-9]+ timed out$
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

public class CompletableAnyOf {
    public static void main(String[] args) throws Exception {
        int[] won = new int[3];
        int timedOut = 0;
        Crew.Trail trail = new Crew.Trail();
        for (int i = 0; i < 200; i++) {
            CompletableFuture<Object> byHand = new CompletableFuture<>();
            CompletableFuture<Object> first = CompletableFuture.anyOf(
                    CompletableFuture.supplyAsync(() -> 0), byHand, CompletableFuture.supplyAsync(() -> 2));
            Thread.yield();
            byHand.complete(1);
            won[(Integer) first.get()]++;
            trail.saw(first.get());
            trail.saw(CompletableFuture.supplyAsync(() -> "left").applyToEitherAsync(
                    CompletableFuture.supplyAsync(() -> "right"), side -> side).get());
            if (i % 10 == 0) {
                String late = new CompletableFuture<String>()
                        .completeOnTimeout("late", 1 + i % 3, TimeUnit.MILLISECONDS)
                        .applyToEither(CompletableFuture.supplyAsync(() -> "done",
                                CompletableFuture.delayedExecutor(2, TimeUnit.MILLISECONDS)), end -> end).get();
                timedOut += late.equals("late") ? 1 : 0;
                trail.saw(late);
            }
        }
        System.out.println("200 races won by " + won[0] + "/" + won[1] + "/" + won[2] + ", " + timedOut + " timed out");
        System.out.println("seen " + trail.hex());
    }
}
