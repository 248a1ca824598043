// Tasks at a fixed rate, with a fixed delay, and after a while: in which order three threads come to them.
// stdout: ^[0-9]+ runs, cancelled true, order [0-9a-f]+$
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

public class ScheduledPool {
    static int runs;
    static long order;

    static synchronized int run(int number) {
        order = order * 31 + number;
        return ++runs;
    }

    public static void main(String[] args) throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(3);
        ScheduledFuture<?> rate = pool.scheduleAtFixedRate(() -> run(1), 1, 1, TimeUnit.MILLISECONDS);
        ScheduledFuture<?> delay = pool.scheduleWithFixedDelay(() -> run(2), 0, 700, TimeUnit.MICROSECONDS);
        Crew.Trail trail = new Crew.Trail();
        for (int i = 0; i < 100; i++) {
            int number = i;
            ScheduledFuture<Integer> once = pool.schedule(() -> run(number + 3), i * 7 % 10, TimeUnit.MILLISECONDS);
            if (i % 5 == 0) {
                trail.saw(once.get());
            } else if (i % 5 == 1) {
                Thread.yield();
                trail.saw(once.cancel(true));
            }
        }
        rate.cancel(false);
        delay.cancel(true);
        pool.shutdown();
        pool.awaitTermination(10, TimeUnit.SECONDS);
        System.out.println(runs + " runs, cancelled " + rate.isCancelled() + ", order " + Long.toHexString(order));
        System.out.println("seen " + trail.hex());
    }
}
