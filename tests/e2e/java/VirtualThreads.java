// Threads that the JVM multiplexes: canon says that it cannot, and does not try.
// only: 25
// record: --order=none
// limit: virtual threads are not followed
// limit-exit: 69
// stdout: ^sum [0-9]+
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class VirtualThreads {
    public static void main(String[] args) throws Exception {
        System.out.println("before " + System.nanoTime());
        long sum = 0;
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Long>> results = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                results.add(executor.submit((Callable<Long>) () -> {
                    Thread.sleep(1);
                    return System.nanoTime() % 1000;
                }));
            }
            for (Future<Long> result : results) {
                sum += result.get();
            }
        }
        System.out.println("sum " + sum);
    }
}
