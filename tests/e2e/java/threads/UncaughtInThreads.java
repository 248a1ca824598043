// Threads that die of exceptions, under handlers of their own, of their group, and of all: the order of the deaths.
// stdout: ^90 died: [0-9a-f]+$
// stderr: ^Exception in thread "unhandled" java.lang.IllegalStateException: the last$
public class UncaughtInThreads {
    static int died;
    static long order;

    static synchronized void bury(int handler, Throwable reason) {
        died++;
        order = order * 31 + handler * 100 + Integer.parseInt(reason.getMessage());
    }

    public static void main(String[] args) throws Exception {
        ThreadGroup group = new ThreadGroup("mourners") {
            @Override
            public void uncaughtException(Thread thread, Throwable reason) {
                bury(1, reason);
            }
        };
        Thread.setDefaultUncaughtExceptionHandler((thread, reason) -> bury(2, reason));
        Thread[] threads = new Thread[90];
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            threads[i] = new Thread(i % 3 == 0 ? group : null, () -> {
                Thread.yield();
                throw new IllegalStateException(String.valueOf(number));
            });
            if (i % 3 == 1) {
                threads[i].setUncaughtExceptionHandler((thread, reason) -> bury(3, reason));
            }
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(died + " died: " + Long.toHexString(order));
        Thread.setDefaultUncaughtExceptionHandler(null);
        Thread last = new Thread(() -> {
            throw new IllegalStateException("the last");
        }, "unhandled");
        last.start();
        last.join();
    }
}
