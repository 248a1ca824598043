import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/** Hash codes of what an archive has, or might have, and numbers of threads: the same with and without one. */
public class Hashes {
    public static void main(String[] args) throws Exception {
        String[] classes = {
            "java.lang.Object", "java.lang.String", "java.lang.Class", "java.io.Serializable", "java.util.HashMap",
            "java.lang.ref.Finalizer", "[B", "[Ljava.lang.Object;", "java.util.stream.Stream"
        };
        for (String name : classes) {
            System.out.println(name + " " + Class.forName(name, false, null).hashCode());
        }
        Object[] others = {
            int.class, int[][].class, Object.class.getModule(), ModuleLayer.boot(), ClassLoader.getSystemClassLoader(),
            Thread.currentThread(), "true", Integer.valueOf(3), System.out
        };
        for (Object other : others) {
            System.out.println(System.identityHashCode(other));
        }
        Thread thread = new Thread();
        System.out.println(thread.getName() + " " + thread.getId() + " " + thread.hashCode());
        for (Thread other : Thread.getAllStackTraces().keySet()) {
            if (other.getName().equals("Finalizer")) {
                System.out.println("Finalizer " + other.getId() + " " + other.hashCode());
            }
        }
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        WeakReference<Object> reference = new WeakReference<>(new Object(), queue);
        while (queue.remove(50) != reference) {
            System.gc();
        }
        System.out.println("collected");
    }
}
