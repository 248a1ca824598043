// A pool whose size is changed while it works, and whose hooks note who begins and ends.
// stdout: ^800 before, 800 after, largest [0-9]+$
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

public class PoolResizing {
    static int before;
    static int after;
    static long order;

    static class Watched extends ThreadPoolExecutor {
        Watched() {
            super(4, 4, 5, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>());
        }

        @Override
        protected void beforeExecute(Thread thread, Runnable task) {
            synchronized (PoolResizing.class) {
                before++;
                order = order * 31 + thread.getName().hashCode();
            }
        }

        @Override
        protected void afterExecute(Runnable task, Throwable failure) {
            synchronized (PoolResizing.class) {
                after++;
                order = order * 37 - after;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Watched pool = new Watched();
        Crew.Trail trail = new Crew.Trail();
        for (int i = 0; i < 800; i++) {
            pool.execute(Thread::yield);
            if (i % 50 == 0) {
                int size = 1 + i / 50 * 5 % 8;
                pool.setCorePoolSize(1);
                pool.setMaximumPoolSize(size);
                pool.setCorePoolSize(size);
                pool.allowCoreThreadTimeOut(i % 100 == 0);
                trail.saw(pool.getPoolSize());
                trail.saw(pool.getActiveCount());
                Thread.sleep(i % 200 == 0 ? 6 : 0);
            }
        }
        pool.shutdown();
        pool.awaitTermination(10, TimeUnit.SECONDS);
        System.out.println(before + " before, " + after + " after, largest " + pool.getLargestPoolSize());
        System.out.println("order " + Long.toHexString(order) + ", seen " + trail.hex());
    }
}
