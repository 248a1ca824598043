// Finalizers: which ran, in which order, what they saw; one that brings its object back.
// stdout: ^finalized 10
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

@SuppressWarnings("removal")
public class FinalizerRuns {
    static final List<String> SEEN = Collections.synchronizedList(new ArrayList<>());
    static FinalizerRuns saved;

    final int number;

    FinalizerRuns(int number) {
        this.number = number;
    }

    @Override
    protected void finalize() {
        SEEN.add(number + "@" + System.nanoTime());
        if (number == 3) {
            saved = this;
        }
    }

    static void makeSome() {
        for (int i = 0; i < 10; i++) {
            new FinalizerRuns(i);
        }
    }

    public static void main(String[] args) throws Exception {
        makeSome();
        while (SEEN.size() < 10) {
            System.gc();
            Thread.sleep(5);
        }
        System.out.println("finalized " + SEEN.size());
        System.out.println(SEEN);
        System.out.println(saved.number + " is back " + saved.hashCode());
    }
}
