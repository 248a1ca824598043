// A SynchronousQueue has no room: who gives and who takes have to meet, in time or not at all.
// stdout: ^[0-9]+ given, as many taken, [0-9]+ not wanted$
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

public class SynchronousQueues {
    public static void main(String[] args) throws Exception {
        AtomicInteger given = new AtomicInteger();
        AtomicInteger taken = new AtomicInteger();
        AtomicInteger unwanted = new AtomicInteger();
        for (boolean fair : new boolean[] {false, true}) {
            SynchronousQueue<Integer> queue = new SynchronousQueue<>(fair);
            System.out.println("seen " + Crew.run(6, (number, trail) -> {
                for (int i = 0; i < 300; i++) {
                    if (number < 3) {
                        int item = i * 3 + number;
                        boolean met = i % 4 == 0 ? queue.offer(item) : queue.offer(item, 100, TimeUnit.MICROSECONDS);
                        trail.saw((met ? given : unwanted).incrementAndGet());
                    } else {
                        Integer item = queue.poll(100, TimeUnit.MICROSECONDS);
                        trail.saw(item);
                        taken.addAndGet(item == null ? 0 : 1);
                    }
                }
            }));
        }
        System.out.println(given + " given, " + (given.get() == taken.get() ? "as many taken, " : taken + " taken, ")
                + unwanted + " not wanted");
    }
}
