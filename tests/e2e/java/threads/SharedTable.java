// A table that threads share without a lock, behind one method: a data race. Run as if the method were synchronized, it
// is found as it was.
// record: --racy=SharedTable.number()!
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

public final class SharedTable {
    private static final int ROUNDS = 400;

    private static final Map<Integer, Integer> table = new HashMap<>();
    private static final AtomicInteger made = new AtomicInteger();

    private SharedTable() { }

    private static int number(int key) {
        Integer known = table.get(key);
        if (known == null) {
            known = made.incrementAndGet();
            table.put(key, known);
        }
        return known;
    }

    public static void main(String[] args) throws Exception {
        System.out.println(Crew.run(4, (number, trail) -> {
            for (int i = 0; i < ROUNDS; i++) {
                trail.saw(number(i));
            }
        }));
    }
}
