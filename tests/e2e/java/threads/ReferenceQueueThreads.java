// Threads that wait at one reference queue for what the collector puts there, with and without a time-out.
// stdout: ^240 references came out, order [0-9a-f]+$
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public class ReferenceQueueThreads {
    static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();
    static final Map<Reference<?>, Integer> NUMBERS = new ConcurrentHashMap<>();
    static int out;
    static long order;

    static synchronized int note(int number) {
        order = order * 31 + number;
        return ++out;
    }

    static synchronized int out() {
        return out;
    }

    static void drop(int number) {
        Object object = new Object();
        boolean weak = number % 2 == 0;
        NUMBERS.put(weak ? new WeakReference<>(object, QUEUE) : new PhantomReference<>(object, QUEUE), number);
    }

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; number == 0 && i < 240; i++) {
                drop(i);
                if (i % 40 == 39) {
                    System.gc();
                }
            }
            while (number > 0 && out() < 240) {
                Reference<?> reference = number == 1 ? QUEUE.poll() : QUEUE.remove(5);
                if (reference == null) {
                    Thread.sleep(1);
                } else {
                    trail.saw(note(NUMBERS.remove(reference)));
                }
            }
        });
        System.out.println(out + " references came out, order " + Long.toHexString(order));
        System.out.println("seen " + seen);
    }
}
