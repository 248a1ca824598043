// Executors that a try statement closes, which waits for their tasks; and futures that tell their state.
// only: 25
// stdout: ^300 tasks, states [0-9a-f]+$
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

public class ExecutorClose {
    public static void main(String[] args) {
        AtomicInteger tasks = new AtomicInteger();
        Crew.Trail states = new Crew.Trail();
        List<Future<Integer>> futures = new ArrayList<>();
        ThreadFactory factory = Thread.ofPlatform().name("task-", 0).factory();
        try (ExecutorService pool = Executors.newThreadPerTaskExecutor(factory)) {
            for (int i = 0; i < 300; i++) {
                futures.add(pool.submit(tasks::incrementAndGet));
                states.saw(futures.get(i / 2).state());
                states.saw(tasks.get());
            }
        }
        for (Future<Integer> future : futures) {
            states.saw(future.resultNow());
        }
        System.out.println(tasks + " tasks, states " + states.hex());
    }
}
