// Cache READERS NUMBER: a Caffeine cache that is too small for what its readers want: who loaded what, what had to go.

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.util.Arrays;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

public class Cache {
    public static void main(String[] args) throws Exception {
        int number = Integer.parseInt(args[1]);
        long[] seen = new long[Integer.parseInt(args[0])];
        AtomicInteger removed = new AtomicInteger();
        LoadingCache<Integer, String> cache = Caffeine.newBuilder().maximumSize(200).recordStats()
                .removalListener((key, value, cause) -> removed.incrementAndGet())
                .build(key -> Thread.currentThread().getName() + " made " + key);
        Crew.together(seen.length, reader -> {
            Random random = new Random(reader);
            for (int i = 0; i < number; i++) {
                String value = cache.get((int) Math.abs(random.nextGaussian() * 200));
                seen[reader] = seen[reader] * 31 + value.hashCode();
                if (i % 100 == 0) {
                    cache.invalidate(i % 300);
                }
            }
        });
        cache.cleanUp();
        System.out.println(Arrays.toString(seen) + " " + cache.stats());
        System.out.println(Crew.digest(new TreeMap<>(cache.asMap()).toString()) + " " + (removed.get() > 0));
    }
}
