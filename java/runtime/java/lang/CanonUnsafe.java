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
}
