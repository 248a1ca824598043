// Cleaning actions: run by the collector's doing, and by hand.
// stdout: ^cleaned 8
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class CleanerRuns {
    static final List<String> CLEANED = Collections.synchronizedList(new ArrayList<>());

    static void register(Cleaner cleaner, int number) {
        cleaner.register(new Object(), () -> CLEANED.add(number + "@" + System.nanoTime()));
    }

    public static void main(String[] args) throws Exception {
        Cleaner cleaner = Cleaner.create();
        for (int i = 0; i < 7; i++) {
            register(cleaner, i);
        }
        Object kept = new Object();
        cleaner.register(kept, () -> CLEANED.add("by hand@" + System.nanoTime())).clean();
        System.out.println(CLEANED);
        while (CLEANED.size() < 8) {
            System.gc();
            Thread.sleep(5);
        }
        System.out.println("cleaned " + CLEANED.size());
        System.out.println(CLEANED);
        System.out.println(kept.hashCode());
    }
}
