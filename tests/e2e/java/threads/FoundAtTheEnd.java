// A daemon still takes references that the collector has found out of a queue when the process ends.
// stdout: ^found [0-9]+$
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

public class FoundAtTheEnd {
    static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();
    static final Set<Reference<?>> KEPT = Collections.synchronizedSet(new HashSet<>());
    static volatile int found;

    static void watch() {
        try {
            while (true) {
                KEPT.remove(QUEUE.remove());
                found++;
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Thread watcher = new Thread(FoundAtTheEnd::watch);
        watcher.setDaemon(true);
        watcher.start();
        for (int i = 0; i < 2000; i++) {
            KEPT.add(new PhantomReference<>(new Object(), QUEUE));
        }
        System.gc();
        Thread.sleep(2);
        System.out.println("found " + found);
    }
}
