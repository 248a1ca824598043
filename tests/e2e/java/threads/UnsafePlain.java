// sun.misc.Unsafe: what one thread writes plainly or in order by offset, others look at plainly, by offset or by name.
// stdout: ^slots 64, turns 4000$
import java.lang.reflect.Field;
import sun.misc.Unsafe;

public class UnsafePlain {
    private static final Unsafe UNSAFE = unsafe();
    private static final long ELEMENTS = UNSAFE.arrayBaseOffset(Object[].class);
    private static final long SCALE = UNSAFE.arrayIndexScale(Object[].class);
    private static final long LATEST = fieldOffset("latest");
    private static final long SUM = fieldOffset("sum");

    private Object latest = "none";
    private long sum;

    private static Unsafe unsafe() {
        try {
            Field field = Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return (Unsafe) field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static long fieldOffset(String name) {
        try {
            return UNSAFE.objectFieldOffset(UnsafePlain.class.getDeclaredField(name));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        UnsafePlain object = new UnsafePlain();
        Object[] slots = new Object[64];
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 1000; i++) {
                long slot = ELEMENTS + (i * 5 + number) % 64 * SCALE;
                Object before = UNSAFE.getObject(slots, slot);
                trail.saw(before == null ? "empty" : before);
                UNSAFE.putObject(slots, slot, number * 1000 + i);
                trail.saw(object.latest);
                UNSAFE.putOrderedObject(object, LATEST, "thread " + number);
                trail.saw(UNSAFE.getLong(object, SUM));
                UNSAFE.putLong(object, SUM, object.sum * 31 + number);
            }
        });
        int full = 0;
        for (Object slot : slots) {
            full += slot == null ? 0 : 1;
        }
        System.out.println("slots " + full + ", turns 4000");
        System.out.println(Long.toHexString(object.sum) + " " + object.latest + " seen " + seen);
    }
}
