// Tasks that submit tasks to a pool whose threads steal from each other.
// stdout: ^1023 tasks, order [0-9a-f]+$
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class WorkStealingPool {
    static final ExecutorService POOL = Executors.newWorkStealingPool(4);
    static final CountDownLatch LEFT = new CountDownLatch(1023);
    static long order;

    static synchronized void note(int number) {
        order = order * 31 + number;
    }

    static void task(int number) {
        note(number);
        if (number < 512) {
            POOL.execute(() -> task(number * 2));
            POOL.execute(() -> task(number * 2 + 1));
        }
        Thread.yield();
        LEFT.countDown();
    }

    public static void main(String[] args) throws Exception {
        POOL.execute(() -> task(1));
        LEFT.await();
        synchronized (WorkStealingPool.class) {
            System.out.println("1023 tasks, order " + Long.toHexString(order));
        }
        POOL.shutdown();
    }
}
