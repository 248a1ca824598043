// One thread serves many clients, in the order in which they came; it is replaced when a task kills it.
// stdout: ^2000 requests, order [0-9a-f]+$
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

public class SingleExecutor {
    static int requests; // written by the one thread of the executor only
    static long order;

    public static void main(String[] args) throws Exception {
        ExecutorService server = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task);
            thread.setUncaughtExceptionHandler((dead, reason) -> { });
            return thread;
        });
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 500; i++) {
                Runnable request = () -> {
                    requests++;
                    order = order * 31 + number;
                };
                if (i % 10 == 0) {
                    server.submit(request).get();
                } else {
                    server.execute(request);
                }
                if (i % 100 == 50) {
                    server.execute(() -> {
                        throw new IllegalStateException();
                    });
                }
                if (i % 50 == 0) {
                    trail.saw(server.submit(() -> requests).get());
                }
            }
        });
        server.shutdown();
        server.awaitTermination(10, TimeUnit.SECONDS);
        System.out.println(requests + " requests, order " + Long.toHexString(order));
        System.out.println("seen " + seen);
    }
}
