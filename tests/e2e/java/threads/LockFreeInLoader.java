// A lock-free class of a class loader of the program's own looks at plain fields of another class there.
// stdout: ^4 threads saw
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

public class LockFreeInLoader {
    static final class Slot {
        int hint;
        Slot next;
    }

    public static final class Pool {
        private static final AtomicIntegerFieldUpdater<Pool> TAKEN =
                AtomicIntegerFieldUpdater.newUpdater(Pool.class, "taken");
        volatile int taken;
        volatile Slot[] slots = new Slot[4];

        public Pool() {
            for (int i = 0; i < slots.length; i++) {
                slots[i] = new Slot();
                slots[i].next = slots[0];
            }
        }

        int exchange(int i, int mine) {
            Slot slot = slots[i & 3];
            int found = slot.hint + slot.next.hint;
            slot.hint = mine;
            slot.next = slots[mine & 3];
            int now = taken;
            TAKEN.compareAndSet(this, now, now + 1);
            return found;
        }

        public static String run() throws Exception {
            Pool pool = new Pool();
            return Crew.run(4, (number, trail) -> {
                for (int i = 0; i < 2000; i++) {
                    trail.saw(pool.exchange(i, number * 10000 + i));
                }
            });
        }
    }

    public static void main(String[] args) throws Exception {
        URL[] classes = {new File("classes/").toURI().toURL()};
        try (URLClassLoader loader = new URLClassLoader(classes, null)) {
            Class<?> pool = loader.loadClass("LockFreeInLoader$Pool");
            System.out.println("4 threads saw " + pool.getMethod("run").invoke(null));
        }
    }
}
