// sun.misc.Unsafe as old libraries use it: compareAndSwap, getAndAdd, volatile and ordered accesses by offset.
// stdout: ^count 4000, [0-9]+ of 4000 swaps won$
import java.lang.reflect.Field;
import java.util.concurrent.atomic.AtomicInteger;
import sun.misc.Unsafe;

public class UnsafeCompareAndSwap {
    int count;
    long hash;
    Object last = "nobody";

    public static void main(String[] args) throws Exception {
        Field field = Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Unsafe unsafe = (Unsafe) field.get(null);
        long count = unsafe.objectFieldOffset(UnsafeCompareAndSwap.class.getDeclaredField("count"));
        long hash = unsafe.objectFieldOffset(UnsafeCompareAndSwap.class.getDeclaredField("hash"));
        long last = unsafe.objectFieldOffset(UnsafeCompareAndSwap.class.getDeclaredField("last"));
        UnsafeCompareAndSwap object = new UnsafeCompareAndSwap();
        AtomicInteger won = new AtomicInteger();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 1000; i++) {
                trail.saw(unsafe.getAndAddInt(object, count, 1));
                long before = unsafe.getLongVolatile(object, hash);
                boolean done = unsafe.compareAndSwapLong(object, hash, before, before * 31 + number);
                trail.saw(done);
                won.addAndGet(done ? 1 : 0);
                trail.saw(unsafe.getAndSetObject(object, last, "thread " + number));
                if (i % 20 == 0) {
                    unsafe.putOrderedObject(object, last, "ordered " + number);
                }
            }
        });
        System.out.println("count " + object.count + ", " + won + " of 4000 swaps won");
        System.out.println(Long.toHexString(object.hash) + " " + object.last + " seen " + seen);
    }
}
