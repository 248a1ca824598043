// Producers and consumers at an ArrayBlockingQueue: what is put, offered, taken, polled, and in which order.
// stdout: ^3000 in, 3000 out, [0-9]+ refused$
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

public class ArrayBlockingQueues {
    public static void main(String[] args) throws Exception {
        ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(10);
        AtomicInteger in = new AtomicInteger();
        AtomicInteger out = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        String seen = Crew.run(5, (number, trail) -> {
            for (int i = 0; number < 3 && i < 1000; i++) {
                if (i % 3 != 0 || !queue.offer(i * 3 + number)) {
                    refused.addAndGet(i % 3 == 0 ? 1 : 0);
                    queue.put(i * 3 + number);
                }
                in.incrementAndGet();
                trail.saw(queue.remainingCapacity());
            }
            while (number >= 3 && out.get() < 3000) {
                Integer item = queue.poll(1, TimeUnit.MILLISECONDS);
                if (item != null) {
                    trail.saw(item);
                    out.incrementAndGet();
                }
            }
        });
        System.out.println(in + " in, " + out + " out, " + refused + " refused");
        System.out.println("seen " + seen);
    }
}
