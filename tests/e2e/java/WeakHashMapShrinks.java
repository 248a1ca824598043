// How many entries a WeakHashMap still has, looked at again and again.
// jvm: -Xmx32m
// stdout: ^peak [0-9]+$
import java.util.Map;
import java.util.WeakHashMap;

public class WeakHashMapShrinks {
    public static void main(String[] args) {
        Map<Object, byte[]> map = new WeakHashMap<>();
        int peak = 0;
        int shrunk = 0;
        int last = 0;
        int step = 1500 + (int) (System.nanoTime() % 500);
        StringBuilder sizes = new StringBuilder();
        for (int i = 0; i < 30_000; i++) {
            map.put(new Object(), new byte[step]);
            int size = map.size();
            peak = Math.max(peak, size);
            if (size < last) {
                shrunk++;
                sizes.append(i).append(':').append(size).append(' ');
            }
            last = size;
        }
        System.out.println("peak " + peak);
        System.out.println(shrunk + " times " + sizes);
        int keys = 0;
        for (Object key : map.keySet()) {
            keys += key == null ? 0 : 1;
        }
        System.out.println("keys " + keys);
    }
}
