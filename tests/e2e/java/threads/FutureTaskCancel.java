// Several threads run, cancel and wait for the same FutureTasks: each runs at most once.
// stdout: ^1500 tasks: [0-9]+ run, [0-9]+ cancelled$
import java.util.concurrent.CancellationException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

public class FutureTaskCancel {
    public static void main(String[] args) throws Exception {
        AtomicInteger run = new AtomicInteger();
        AtomicInteger cancelled = new AtomicInteger();
        @SuppressWarnings({"unchecked", "rawtypes"})
        FutureTask<Integer>[] tasks = new FutureTask[1500];
        for (int i = 0; i < tasks.length; i++) {
            tasks[i] = new FutureTask<>(
                    () -> run.incrementAndGet() * 8 + Thread.currentThread().getName().charAt(5) - '0');
        }
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < tasks.length; i++) {
                FutureTask<Integer> task = tasks[i];
                if (number == 3) {
                    if (i % 3 == 0 && task.cancel(false)) {
                        trail.saw(cancelled.incrementAndGet());
                    }
                    continue;
                }
                task.run();
                try {
                    trail.saw(task.get());
                } catch (CancellationException e) {
                    trail.saw("cancelled");
                }
            }
        });
        System.out.println(tasks.length + " tasks: " + run + " run, " + cancelled + " cancelled");
        System.out.println("seen " + seen);
    }
}
