// Results in the order in which they are ready; invokeAny, which takes the first; invokeAll, which waits for all.
// stdout: ^500 completed, order [0-9a-f]+$
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

public class CompletionServices {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        ExecutorCompletionService<Integer> service = new ExecutorCompletionService<>(pool);
        List<Callable<Integer>> racers = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            int number = i;
            service.submit(() -> {
                Thread.yield();
                return number;
            });
            racers.add(() -> {
                Thread.sleep(0, number);
                return number;
            });
        }
        Crew.Trail order = new Crew.Trail();
        int completed = 0;
        while (completed < 500) {
            order.saw(service.take().get());
            completed++;
        }
        for (int i = 0; i < 50; i++) {
            order.saw(pool.invokeAny(racers.subList(i, i + 6)));
        }
        for (Future<Integer> one : pool.invokeAll(racers, 8, TimeUnit.MILLISECONDS)) {
            order.saw(one.isCancelled());
        }
        pool.shutdownNow();
        System.out.println(completed + " completed, order " + order.hex());
    }
}
