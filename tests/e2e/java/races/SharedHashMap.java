// A HashMap that threads change and walk through without any lock: entries get lost, iterators fail.
// record: --order=serial --preempt=loops
// stdout: ^size [0-9]+, [0-9]+ failures, seen [0-9a-f]+$
import java.util.HashMap;
import java.util.Map;

public class SharedHashMap {
    static final Map<Integer, Integer> MAP = new HashMap<>();
    static int failures;

    static long walk() {
        long sum = 0;
        for (Map.Entry<Integer, Integer> entry : MAP.entrySet()) {
            sum = sum * 31 + entry.getKey() * entry.getValue();
        }
        return sum;
    }

    static long step(int number, int i) {
        int key = (i * 7919 + number * 104_729) & 0xfff;
        Integer before = MAP.put(key, number);
        if (i % 3 == 0) {
            MAP.remove(key ^ 1);
        }
        return i % 50 == 0 ? walk() : before == null ? -1 : before;
    }

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 5_000; i++) {
                try {
                    trail.saw(step(number, i));
                } catch (RuntimeException e) {
                    failures++;
                    trail.saw(e.getClass().getName());
                }
            }
        });
        System.out.println("size " + MAP.size() + ", " + failures + " failures, seen " + seen);
    }
}
