// Virtual threads, one a task, that lock, sleep and count: who comes when is a matter of their order.
// only: 25
// stdout: ^4000 turns, order [0-9a-f]+$
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;

public class VirtualExecutor {
    static final Object LOCK = new Object();
    static final AtomicLong LATEST = new AtomicLong();
    static int turns;
    static long order;

    static String work(int number) throws InterruptedException {
        Crew.Trail trail = new Crew.Trail();
        for (int i = 0; i < 200; i++) {
            synchronized (LOCK) {
                order = order * 31 + number;
                trail.saw(turns++);
            }
            trail.saw(LATEST.getAndSet(number));
            if (i % 50 == 49) {
                Thread.sleep(1);
            }
        }
        return trail.hex();
    }

    public static void main(String[] args) throws Exception {
        List<String> seen = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> futures = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                int number = i;
                futures.add(executor.submit(() -> work(number)));
            }
            for (Future<String> future : futures) {
                seen.add(future.get());
            }
        }
        System.out.println(turns + " turns, order " + Long.toHexString(order));
        System.out.println("seen " + seen);
    }
}
