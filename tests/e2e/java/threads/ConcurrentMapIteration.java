// Iterators over a ConcurrentHashMap to which others add, and from which they remove; and its bulk operations.
// stdout: ^[0-9]+ left, sum [0-9]+$
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public class ConcurrentMapIteration {
    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 400; i++) {
                map.put(i * 4 + number, i);
                if (i % 20 != 19) {
                    continue;
                }
                if (number == 0) {
                    for (Map.Entry<Integer, Integer> entry : map.entrySet()) {
                        trail.saw(entry.getKey());
                    }
                } else if (number == 1) {
                    map.keySet().removeIf(key -> key % 5 == 0);
                } else if (number == 2) {
                    trail.saw(map.reduceValuesToLong(Long.MAX_VALUE, value -> value, 0, Long::sum));
                } else {
                    trail.saw(map.mappingCount());
                    trail.saw(map.search(1_000_000, (key, value) -> key % 7 == 0 && value > 5 ? key : null));
                }
            }
        });
        System.out.println(map.size() + " left, sum " + map.reduceKeysToLong(Long.MAX_VALUE, key -> key, 0, Long::sum));
        System.out.println("seen " + seen);
    }
}
