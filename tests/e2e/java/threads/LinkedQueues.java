// Everyone adds to and polls from a ConcurrentLinkedQueue, and now and then walks through it.
// stdout: ^8000 added, 8000 polled$
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

public class LinkedQueues {
    public static void main(String[] args) throws Exception {
        ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
        AtomicInteger added = new AtomicInteger();
        AtomicInteger polled = new AtomicInteger();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 2000; i++) {
                queue.add(i * 4 + number);
                added.incrementAndGet();
                if (i % 200 == 0) {
                    for (int item : queue) {
                        trail.saw(item);
                    }
                }
                if (i % 3 != 0) {
                    trail.saw(queue.poll());
                    polled.incrementAndGet();
                }
            }
        });
        Crew.Trail rest = new Crew.Trail();
        for (Integer item = queue.poll(); item != null; item = queue.poll()) {
            rest.saw(item);
            polled.incrementAndGet();
        }
        System.out.println(added + " added, " + polled + " polled");
        System.out.println("seen " + seen + ", left " + rest.hex());
    }
}
