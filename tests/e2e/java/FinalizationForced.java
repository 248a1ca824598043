// System.runFinalization: a second thread of the JVM's runs finalizers beside the usual one.
// record: --order=edges
// stdout: ^finalized 12 on [12] threads
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;

@SuppressWarnings("removal")
public class FinalizationForced {
    static final List<String> SEEN = Collections.synchronizedList(new ArrayList<>());

    final int number;

    FinalizationForced(int number) {
        this.number = number;
    }

    @Override
    protected void finalize() {
        SEEN.add(Thread.currentThread().getName() + ": " + number + "@" + System.nanoTime());
    }

    static void makeSome() {
        for (int i = 0; i < 12; i++) {
            new FinalizationForced(i);
        }
    }

    public static void main(String[] args) throws Exception {
        makeSome();
        while (SEEN.size() < 12) {
            System.gc();
            System.runFinalization();
        }
        TreeSet<String> threads = new TreeSet<>();
        for (String one : SEEN) {
            System.out.println(one);
            threads.add(one.substring(0, one.indexOf(':')));
        }
        System.out.println("finalized " + SEEN.size() + " on " + threads.size() + " threads");
    }
}
