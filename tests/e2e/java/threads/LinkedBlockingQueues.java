// Consumers of a LinkedBlockingQueue until each finds a pill that ends it; one drains what it can get at once.
// stdout: ^sum 4498500, 3 pills$
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

public class LinkedBlockingQueues {
    static final int PILL = -1;

    public static void main(String[] args) throws Exception {
        LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>(50);
        AtomicInteger sum = new AtomicInteger();
        AtomicInteger pills = new AtomicInteger();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; number == 0 && i < 3003; i++) {
                queue.put(i < 3000 ? i : PILL);
                if (i % 64 == 0) {
                    Thread.yield();
                }
            }
            boolean more = number != 0;
            while (more) {
                int item = queue.take();
                List<Integer> items = new ArrayList<>(List.of(item));
                if (number == 1 && item != PILL) {
                    queue.drainTo(items, 5);
                }
                for (int one : items) {
                    trail.saw(one);
                    if (one == PILL && !more) {
                        queue.put(PILL); // one pill is enough, the other is somebody else's
                    } else if (one == PILL) {
                        pills.incrementAndGet();
                        more = false;
                    } else {
                        sum.addAndGet(one);
                    }
                }
            }
        });
        System.out.println("sum " + sum + ", " + pills + " pills");
        System.out.println("seen " + seen);
    }
}
