// A cache of soft references under memory pressure: which entries are gone when.
// jvm: -Xmx40m -XX:+UseParallelGC
// stdout: ^[0-9]+ of 60 left
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.List;

public class SoftReferenceCleared {
    public static void main(String[] args) {
        List<SoftReference<byte[]>> cache = new ArrayList<>();
        StringBuilder history = new StringBuilder();
        for (int i = 0; i < 60; i++) {
            byte[] value = new byte[1_000_000];
            value[7] = (byte) System.nanoTime();
            cache.add(new SoftReference<>(value));
            history.append(left(cache)).append(' ');
        }
        System.out.println(history);
        System.out.println(left(cache) + " of 60 left");
        int sum = 0;
        for (SoftReference<byte[]> reference : cache) {
            byte[] value = reference.get();
            sum = sum * 31 + (value == null ? 1 : value[7]);
        }
        System.out.println(sum);
    }

    static int left(List<SoftReference<byte[]>> cache) {
        int left = 0;
        for (SoftReference<byte[]> reference : cache) {
            left += reference.get() == null ? 0 : 1;
        }
        return left;
    }
}
