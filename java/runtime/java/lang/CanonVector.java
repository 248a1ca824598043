package java.lang;

import jdk.internal.vm.annotation.ForceInline;

/**
 * In place of {@link CanonRecord}, for comparison (bench/README.md): every operation logs a vector clock that
 * all threads share (src/order/vector.c). {@link CanonReplay} replays it.
 */
public final class CanonVector {
    private CanonVector() {}

    @ForceInline
    private static void begin() {
        long lane;
        if (Canon.on && (lane = CanonLane.current()) != 0) {
            CanonOrder.tickBegin(lane);
        }
    }

    /** After the operation. */
    public static void done() {
        long lane;
        if (Canon.on && (lane = CanonLane.current()) != 0 && (CanonLane.UNSAFE.getLong(lane) & CanonLane.SLOW) != 0) {
            CanonOrder.tickEnd(lane);
        }
    }

    public static Object identity(Object object) {
        return object;
    }

    public static void entered(Object lock) {
        begin();
        done();
    }

    /** Counts, and tells Object.wait who was here; a clock is needed by the next that enters only. */
    public static void exiting(Object lock) {
        long lane;
        if (!Canon.on || lock == null || (lane = CanonLane.current()) == 0) {
            return;
        }
        long count = CanonLane.UNSAFE.getLong(lane) + CanonLane.STEP;
        CanonLane.UNSAFE.storeFence();
        CanonLane.UNSAFE.putLong(lane, count);
        if (!lock.getClass().isArray()) {
            CanonLane.UNSAFE.putInt(lock, CanonLane.OWNER,
                    CanonLane.UNSAFE.getInt(lane + CanonLane.NUMBER) | (int) (count >> 2) << 12);
        }
    }

    /** What clone() returns has nobody's monitor yet. */
    public static Object cloned(Object copy, Object original) {
        if (Canon.on && copy != null && copy != original && !copy.getClass().isArray()) {
            CanonLane.UNSAFE.putInt(copy, CanonLane.OWNER, 0);
        }
        return copy;
    }

    public static void read(Object object) {
        if (object != null) {
            begin();
        }
    }

    public static void write(Object object) {
        read(object);
    }

    public static void readStatic(int hash) {
        begin();
    }

    public static void writeStatic(int hash) {
        begin();
    }

    public static void readArray(Object array, int index) {
        if (array != null && index >= 0 && index < java.lang.reflect.Array.getLength(array)) {
            begin();
        }
    }

    public static void writeArray(Object array, int index) {
        readArray(array, index);
    }

    public static void readAt(Object base, long offset) {
        begin();
    }

    public static void writeAt(Object base, long offset) {
        begin();
    }

    /** The JVM looked at the thread's mark of interruption and took it away; called by the agent. */
    static boolean marked(Object thread, long lane) {
        CanonOrder.tickBegin(lane);
        boolean again = CanonLane.UNSAFE.getBoolean(thread, CanonLane.MARK);
        CanonOrder.tickEnd(lane);
        return again;
    }

    public static void read(Object object, int site) {
        if (Canon.on && object != null && !CanonOrder.isPlain(object, site)) {
            begin();
        }
    }

    public static void write(Object object, int site) {
        read(object, site);
    }

    public static void readStatic(int hash, int site) {
        if (Canon.on && !CanonOrder.isPlain(null, site)) {
            begin();
        }
    }

    public static void writeStatic(int hash, int site) {
        readStatic(hash, site);
    }

    public static void done(int site) {
        if (CanonOrder.isOrdered(site)) {
            done();
        }
    }
}
