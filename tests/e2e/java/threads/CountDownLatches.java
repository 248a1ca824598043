// A chain of latches: who counts down the last one, and what the waiting ones see when it is open.
// stdout: ^200 latches open, order [0-9a-f]+$
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

public class CountDownLatches {
    static int arrived;
    static long order;

    static synchronized int arrive(int number) {
        order = order * 31 + number;
        return ++arrived;
    }

    public static void main(String[] args) throws Exception {
        CountDownLatch[] latches = new CountDownLatch[200];
        for (int i = 0; i < latches.length; i++) {
            latches[i] = new CountDownLatch(4);
        }
        String seen = Crew.run(4, (number, trail) -> {
            for (CountDownLatch latch : latches) {
                trail.saw(arrive(number));
                latch.countDown();
                trail.saw(latch.getCount());
                if (!latch.await(5, TimeUnit.MICROSECONDS)) {
                    trail.saw("late");
                    latch.await();
                }
            }
        });
        int open = 0;
        for (CountDownLatch latch : latches) {
            open += latch.getCount() == 0 ? 1 : 0;
        }
        System.out.println(open + " latches open, order " + Long.toHexString(order));
        System.out.println("seen " + seen);
    }
}
