// ConcurrentHashMap.compute, computeIfAbsent and computeIfPresent: the functions run one at a time a key.
// stdout: ^6000 computed, 20 keys$
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

public class ConcurrentMapCompute {
    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<String, Long> map = new ConcurrentHashMap<>();
        AtomicInteger computed = new AtomicInteger();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 1500; i++) {
                String key = "key" + i % 20;
                trail.saw(map.compute(key, (k, v) -> {
                    computed.incrementAndGet();
                    return v == null ? number : v * 31 + number;
                }));
                if (i % 10 == number) {
                    map.computeIfPresent(key, (k, v) -> v % 3 == 0 ? null : v + 1);
                    trail.saw(map.computeIfAbsent(key, k -> (long) -number));
                }
            }
        });
        System.out.println(computed + " computed, " + map.size() + " keys");
        System.out.println(new TreeMap<>(map));
        System.out.println("seen " + seen);
    }
}
