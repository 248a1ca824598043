// Much garbage in a small heap of ZGC, with caches that depend on the collector.
// jvm: -Xmx48m -XX:+UseZGC
// stdout: ^hits [0-9]+, misses [0-9]+
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;

public class GarbageHeavy {
    public static void main(String[] args) {
        Map<Integer, WeakReference<int[]>> cache = new HashMap<>();
        int hits = 0;
        int misses = 0;
        long sum = 0;
        for (int i = 0; i < 60_000; i++) {
            int key = i % 97;
            WeakReference<int[]> reference = cache.get(key);
            int[] value = reference == null ? null : reference.get();
            if (value == null) {
                misses++;
                value = new int[500];
                value[3] = misses;
                cache.put(key, new WeakReference<>(value));
            } else {
                hits++;
            }
            sum = sum * 31 + value[3] + new int[400].length;
        }
        System.out.println("hits " + hits + ", misses " + misses + ", sum " + sum);
        System.out.println(System.nanoTime());
    }
}
