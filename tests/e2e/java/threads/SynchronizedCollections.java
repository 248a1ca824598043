// The wrappers of Collections.synchronizedX: single calls by themselves, iterations under the wrapper as a lock.
// stdout: ^[0-9]+ in the list, [0-9]+ in the map, [0-9]+ in the set$
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

public class SynchronizedCollections {
    public static void main(String[] args) throws Exception {
        List<Integer> list = Collections.synchronizedList(new ArrayList<>());
        Map<Integer, Integer> map = Collections.synchronizedMap(new LinkedHashMap<>());
        SortedSet<Integer> set = Collections.synchronizedSortedSet(new TreeSet<>());
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 800; i++) {
                list.add(i * 4 + number);
                trail.saw(map.merge(i, number, Integer::sum));
                trail.saw(set.add(i * (number + 1)));
                if (i % 50 == 0) {
                    synchronized (list) {
                        for (int item : list) {
                            trail.saw(item);
                        }
                    }
                    set.removeIf(item -> item % 4 == number);
                    map.keySet().removeIf(key -> key % 4 == number);
                }
            }
        });
        System.out.println(list.size() + " in the list, " + map.size() + " in the map, " + set.size() + " in the set");
        System.out.println(list.hashCode() + " " + map.toString().hashCode() + " " + set.hashCode() + " seen " + seen);
    }
}
