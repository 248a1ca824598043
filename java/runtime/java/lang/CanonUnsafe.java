package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * In place of those methods of Unsafe that atomics and java.util.concurrent are made of: the access and what is done
 * around it, in one call where the others take two. All others are surrounded by calls of {@link CanonRecord} or
 * {@link CanonReplay} (src/jvm/hooks.c has both lists).
 */
public final class CanonUnsafe {
    private CanonUnsafe() {}

    @ForceInline
    private static long begin(Object base, long offset, boolean writes) {
        long lane;
        if (!Canon.counts || (lane = CanonLane.current()) == 0) {
            return 0;
        }
        if (CanonOrder.REPLAYS) {
            CanonReplay.begin(lane);
        } else {
            CanonRecord.at(lane, base, offset, writes);
        }
        return lane;
    }

    @ForceInline
    private static void end(long lane) {
        if (lane == 0) {
            return;
        }
        if (CanonOrder.REPLAYS) {
            CanonReplay.done(lane);
        } else {
            CanonRecord.done(lane);
        }
    }

    @DontInline
    public static Object getReferenceVolatile(Unsafe unsafe, Object base, long offset) {
        long lane = begin(base, offset, false);
        Object result = unsafe.getReferenceVolatile(base, offset);
        end(lane);
        return result;
    }

    @DontInline
    public static Object getReferenceAcquire(Unsafe unsafe, Object base, long offset) {
        long lane = begin(base, offset, false);
        Object result = unsafe.getReferenceAcquire(base, offset);
        end(lane);
        return result;
    }

    @DontInline
    public static Object getReferenceOpaque(Unsafe unsafe, Object base, long offset) {
        long lane = begin(base, offset, false);
        Object result = unsafe.getReferenceOpaque(base, offset);
        end(lane);
        return result;
    }

    @DontInline
    public static void putReferenceVolatile(Unsafe unsafe, Object base, long offset, Object value) {
        long lane = begin(base, offset, true);
        unsafe.putReferenceVolatile(base, offset, value);
        end(lane);
    }

    @DontInline
    public static void putReferenceRelease(Unsafe unsafe, Object base, long offset, Object value) {
        long lane = begin(base, offset, true);
        unsafe.putReferenceRelease(base, offset, value);
        end(lane);
    }

    @DontInline
    public static void putReferenceOpaque(Unsafe unsafe, Object base, long offset, Object value) {
        long lane = begin(base, offset, true);
        unsafe.putReferenceOpaque(base, offset, value);
        end(lane);
    }

    @DontInline
    public static boolean compareAndSetReference(Unsafe unsafe, Object base, long offset, Object expected, Object value) {
        long lane = begin(base, offset, true);
        boolean result = unsafe.compareAndSetReference(base, offset, expected, value);
        end(lane);
        return result;
    }

    @DontInline
    public static boolean weakCompareAndSetReference(Unsafe unsafe, Object base, long offset, Object expected, Object value) {
        long lane = begin(base, offset, true);
        boolean result = unsafe.weakCompareAndSetReference(base, offset, expected, value);
        end(lane);
        return result;
    }

    @DontInline
    public static Object getAndSetReference(Unsafe unsafe, Object base, long offset, Object value) {
        long lane = begin(base, offset, true);
        Object result = unsafe.getAndSetReference(base, offset, value);
        end(lane);
        return result;
    }

    @DontInline
    public static int getIntVolatile(Unsafe unsafe, Object base, long offset) {
        long lane = begin(base, offset, false);
        int result = unsafe.getIntVolatile(base, offset);
        end(lane);
        return result;
    }

    @DontInline
    public static int getIntAcquire(Unsafe unsafe, Object base, long offset) {
        long lane = begin(base, offset, false);
        int result = unsafe.getIntAcquire(base, offset);
        end(lane);
        return result;
    }

    @DontInline
    public static int getIntOpaque(Unsafe unsafe, Object base, long offset) {
        long lane = begin(base, offset, false);
        int result = unsafe.getIntOpaque(base, offset);
        end(lane);
        return result;
    }

    @DontInline
    public static void putIntVolatile(Unsafe unsafe, Object base, long offset, int value) {
        long lane = begin(base, offset, true);
        unsafe.putIntVolatile(base, offset, value);
        end(lane);
    }

    @DontInline
    public static void putIntRelease(Unsafe unsafe, Object base, long offset, int value) {
        long lane = begin(base, offset, true);
        unsafe.putIntRelease(base, offset, value);
        end(lane);
    }

    @DontInline
    public static void putIntOpaque(Unsafe unsafe, Object base, long offset, int value) {
        long lane = begin(base, offset, true);
        unsafe.putIntOpaque(base, offset, value);
        end(lane);
    }

    @DontInline
    public static boolean compareAndSetInt(Unsafe unsafe, Object base, long offset, int expected, int value) {
        long lane = begin(base, offset, true);
        boolean result = unsafe.compareAndSetInt(base, offset, expected, value);
        end(lane);
        return result;
    }

    @DontInline
    public static boolean weakCompareAndSetInt(Unsafe unsafe, Object base, long offset, int expected, int value) {
        long lane = begin(base, offset, true);
        boolean result = unsafe.weakCompareAndSetInt(base, offset, expected, value);
        end(lane);
        return result;
    }

    @DontInline
    public static int getAndSetInt(Unsafe unsafe, Object base, long offset, int value) {
        long lane = begin(base, offset, true);
        int result = unsafe.getAndSetInt(base, offset, value);
        end(lane);
        return result;
    }

    @DontInline
    public static int getAndAddInt(Unsafe unsafe, Object base, long offset, int delta) {
        long lane = begin(base, offset, true);
        int result = unsafe.getAndAddInt(base, offset, delta);
        end(lane);
        return result;
    }

    @DontInline
    public static long getLongVolatile(Unsafe unsafe, Object base, long offset) {
        long lane = begin(base, offset, false);
        long result = unsafe.getLongVolatile(base, offset);
        end(lane);
        return result;
    }

    @DontInline
    public static long getLongAcquire(Unsafe unsafe, Object base, long offset) {
        long lane = begin(base, offset, false);
        long result = unsafe.getLongAcquire(base, offset);
        end(lane);
        return result;
    }

    @DontInline
    public static long getLongOpaque(Unsafe unsafe, Object base, long offset) {
        long lane = begin(base, offset, false);
        long result = unsafe.getLongOpaque(base, offset);
        end(lane);
        return result;
    }

    @DontInline
    public static void putLongVolatile(Unsafe unsafe, Object base, long offset, long value) {
        long lane = begin(base, offset, true);
        unsafe.putLongVolatile(base, offset, value);
        end(lane);
    }

    @DontInline
    public static void putLongRelease(Unsafe unsafe, Object base, long offset, long value) {
        long lane = begin(base, offset, true);
        unsafe.putLongRelease(base, offset, value);
        end(lane);
    }

    @DontInline
    public static void putLongOpaque(Unsafe unsafe, Object base, long offset, long value) {
        long lane = begin(base, offset, true);
        unsafe.putLongOpaque(base, offset, value);
        end(lane);
    }

    @DontInline
    public static boolean compareAndSetLong(Unsafe unsafe, Object base, long offset, long expected, long value) {
        long lane = begin(base, offset, true);
        boolean result = unsafe.compareAndSetLong(base, offset, expected, value);
        end(lane);
        return result;
    }

    @DontInline
    public static boolean weakCompareAndSetLong(Unsafe unsafe, Object base, long offset, long expected, long value) {
        long lane = begin(base, offset, true);
        boolean result = unsafe.weakCompareAndSetLong(base, offset, expected, value);
        end(lane);
        return result;
    }

    @DontInline
    public static long getAndSetLong(Unsafe unsafe, Object base, long offset, long value) {
        long lane = begin(base, offset, true);
        long result = unsafe.getAndSetLong(base, offset, value);
        end(lane);
        return result;
    }

    @DontInline
    public static long getAndAddLong(Unsafe unsafe, Object base, long offset, long delta) {
        long lane = begin(base, offset, true);
        long result = unsafe.getAndAddLong(base, offset, delta);
        end(lane);
        return result;
    }

    /*
     * Plain accesses of programs (sun.misc.Unsafe): to fields, and to elements that are references. Numbers in
     * arrays and memory outside of the heap are somebody's bytes, and have no order.
     */

    @ForceInline
    private static boolean isShared(Object base) {
        return Canon.counts && base != null && (base instanceof Object[] || !base.getClass().isArray());
    }

    @ForceInline
    public static Object getReference(Unsafe unsafe, Object base, long offset) {
        return isShared(base) ? getReferenceShared(unsafe, base, offset) : unsafe.getReference(base, offset);
    }

    @DontInline
    private static Object getReferenceShared(Unsafe unsafe, Object base, long offset) {
        long lane = begin(base, offset, false);
        Object result = unsafe.getReference(base, offset);
        end(lane);
        return result;
    }

    @ForceInline
    public static void putReference(Unsafe unsafe, Object base, long offset, Object value) {
        if (isShared(base)) {
            putReferenceShared(unsafe, base, offset, value);
        } else {
            unsafe.putReference(base, offset, value);
        }
    }

    @DontInline
    private static void putReferenceShared(Unsafe unsafe, Object base, long offset, Object value) {
        long lane = begin(base, offset, true);
        unsafe.putReference(base, offset, value);
        end(lane);
    }

    @ForceInline
    public static int getInt(Unsafe unsafe, Object base, long offset) {
        return isShared(base) ? getIntShared(unsafe, base, offset) : unsafe.getInt(base, offset);
    }

    @DontInline
    private static int getIntShared(Unsafe unsafe, Object base, long offset) {
        long lane = begin(base, offset, false);
        int result = unsafe.getInt(base, offset);
        end(lane);
        return result;
    }

    @ForceInline
    public static void putInt(Unsafe unsafe, Object base, long offset, int value) {
        if (isShared(base)) {
            putIntShared(unsafe, base, offset, value);
        } else {
            unsafe.putInt(base, offset, value);
        }
    }

    @DontInline
    private static void putIntShared(Unsafe unsafe, Object base, long offset, int value) {
        long lane = begin(base, offset, true);
        unsafe.putInt(base, offset, value);
        end(lane);
    }

    @ForceInline
    public static long getLong(Unsafe unsafe, Object base, long offset) {
        return isShared(base) ? getLongShared(unsafe, base, offset) : unsafe.getLong(base, offset);
    }

    @DontInline
    private static long getLongShared(Unsafe unsafe, Object base, long offset) {
        long lane = begin(base, offset, false);
        long result = unsafe.getLong(base, offset);
        end(lane);
        return result;
    }

    @ForceInline
    public static void putLong(Unsafe unsafe, Object base, long offset, long value) {
        if (isShared(base)) {
            putLongShared(unsafe, base, offset, value);
        } else {
            unsafe.putLong(base, offset, value);
        }
    }

    @DontInline
    private static void putLongShared(Unsafe unsafe, Object base, long offset, long value) {
        long lane = begin(base, offset, true);
        unsafe.putLong(base, offset, value);
        end(lane);
    }
}
