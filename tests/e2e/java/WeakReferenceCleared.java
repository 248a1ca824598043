// At which turn of a loop the collector clears weak references.
// jvm: -Xmx32m -XX:+UseSerialGC
// stdout: ^cleared after [0-9]+ arrays
import java.lang.ref.WeakReference;

public class WeakReferenceCleared {
    static byte[] garbage;

    public static void main(String[] args) {
        int size = 2000 + (int) (System.nanoTime() % 1000);
        for (int round = 0; round < 5; round++) {
            WeakReference<Object> weak = new WeakReference<>(new Object());
            int arrays = 0;
            while (weak.get() != null) {
                garbage = new byte[size + round];
                arrays++;
            }
            System.out.println("cleared after " + arrays + " arrays");
        }
        WeakReference<Object> dropped = new WeakReference<>(new Object());
        System.gc();
        System.out.println(dropped.get() + " " + dropped.refersTo(null));
        Object kept = new Object();
        WeakReference<Object> held = new WeakReference<>(kept);
        System.gc();
        System.out.println((held.get() == kept) + " " + held.refersTo(kept));
        held.clear();
        System.out.println(held.get());
    }
}
