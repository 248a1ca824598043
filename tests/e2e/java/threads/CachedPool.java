// A pool that makes a thread when none is idle: how many it has made depends on how fast they become idle again.
// stdout: ^300 tasks, [0-9]+ threads made$
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

public class CachedPool {
    static int tasks;
    static long order;

    static synchronized void note() {
        tasks++;
        order = order * 31 + Integer.parseInt(Thread.currentThread().getName());
    }

    public static void main(String[] args) throws Exception {
        int[] made = new int[1]; // only main makes threads, in execute
        ThreadFactory factory = task -> new Thread(task, String.valueOf(made[0]++));
        ThreadPoolExecutor pool = (ThreadPoolExecutor) Executors.newCachedThreadPool(factory);
        Crew.Trail trail = new Crew.Trail();
        for (int i = 0; i < 300; i++) {
            pool.execute(CachedPool::note);
            if (i % 4 == 3) {
                Thread.yield();
            }
            trail.saw(pool.getPoolSize());
        }
        pool.shutdown();
        pool.awaitTermination(10, TimeUnit.SECONDS);
        System.out.println(tasks + " tasks, " + made[0] + " threads made");
        System.out.println("order " + Long.toHexString(order) + ", seen " + trail.hex());
    }
}
