// Threads ask for the hash codes of new objects of one class, and look at references that the collector clears meanwhile.
// stdout: ^[0-9]+ cleared, trails [0-9a-f]+$
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;

public class HashCodesAndReferences {
    static final AtomicInteger CLEARED = new AtomicInteger();

    static final class Thing {
        final byte[] weight = new byte[2000];
    }

    public static void main(String[] args) throws Exception {
        String trails = Crew.run(3, (number, trail) -> {
            ArrayDeque<WeakReference<Thing>> known = new ArrayDeque<>();
            for (int i = 0; i < 1500; i++) {
                Thing thing = new Thing();
                trail.saw(System.identityHashCode(thing));
                known.add(new WeakReference<>(thing));
                WeakReference<Thing> oldest = known.size() > 40 ? known.remove() : known.peek();
                if (oldest.get() == null) {
                    trail.saw(CLEARED.incrementAndGet());
                }
                if (i % 300 == number * 100) {
                    System.gc();
                }
            }
        });
        System.out.println(CLEARED + " cleared, trails " + trails);
    }
}
