// A lock-free hash table as libraries have them: elements are looked at plainly, and taken by compare-and-set.
// stdout: ^300 keys, [0-9]+ of 4000 first$
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

public class LockFreeTable {
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(Object[].class);
    private final Object[] table = new Object[2 * 1024];

    private static Object at(Object[] table, int i) {
        return table[i];
    }

    /* The old value, or null. */
    Object put(Integer key, Object value) {
        for (int i = key.hashCode() & 1023; ; i = i + 1 & 1023) {
            Object found = at(table, 2 * i);
            if (found == null && ELEMENT.compareAndSet(table, 2 * i, null, key)) {
                found = key;
            } else if (found == null) {
                found = at(table, 2 * i);
            }
            if (key.equals(found)) {
                Object old = at(table, 2 * i + 1);
                return ELEMENT.compareAndSet(table, 2 * i + 1, old, value) ? old : "beaten";
            }
        }
    }

    Object get(Integer key) {
        for (int i = key.hashCode() & 1023; ; i = i + 1 & 1023) {
            Object found = at(table, 2 * i);
            if (found == null || key.equals(found)) {
                return found == null ? null : at(table, 2 * i + 1);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        LockFreeTable table = new LockFreeTable();
        AtomicInteger first = new AtomicInteger();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 1000; i++) {
                int key = (i * 7 + number) % 300;
                Object old = table.put(key, number * 1000 + i);
                trail.saw(old == null ? "new" : old);
                first.addAndGet(old == null ? 1 : 0);
                Object other = table.get((key + 150) % 300);
                trail.saw(other == null ? "none" : other);
            }
        });
        int keys = 0;
        for (int i = 0; i < 300; i++) {
            keys += table.get(i) == null ? 0 : 1;
        }
        System.out.println(keys + " keys, " + first + " of 4000 first");
        System.out.println("seen " + seen);
    }
}
