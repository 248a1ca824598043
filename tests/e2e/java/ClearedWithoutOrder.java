// References that the collector clears where no order of threads is kept.
// record: --order=none
// jvm: -Xmx32m -XX:+UseSerialGC
// stdout: ^cleared after [0-9]+ arrays
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;

public class ClearedWithoutOrder {
    static byte[] garbage;

    public static void main(String[] args) {
        int size = 2000 + (int) (System.nanoTime() % 1000);
        WeakReference<Object> weak = new WeakReference<>(new Object());
        SoftReference<Object> soft = new SoftReference<>(null);
        int arrays = 0;
        while (weak.get() != null) {
            garbage = new byte[size];
            arrays++;
        }
        System.out.println("cleared after " + arrays + " arrays");
        System.out.println(weak.get() + " " + weak.refersTo(null) + " " + soft.get());
    }
}
