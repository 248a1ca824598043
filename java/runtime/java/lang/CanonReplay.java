package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * Around every operation that orders threads, while replaying: the counterpart of {@link CanonRecord}. Whose
 * turn it was is in the trace: an operation waits if something is logged for its number, and is counted.
 */
public final class CanonReplay {
    private CanonReplay() {}

    @ForceInline
    private static Unsafe unsafe() {
        return CanonLane.UNSAFE;
    }

    @ForceInline
    private static void begin() {
        long lane = CanonLane.current();
        if (lane != 0) {
            begin(lane);
        }
    }

    /** An operation that throws is not done: the next one finds it in work, as in the recording. */
    @ForceInline
    static void begin(long lane) {
        unsafe().putLong(lane, due(lane) + CanonLane.FAST);
    }

    /** The lane's count, when its next operation may begin. */
    @ForceInline
    private static long due(long lane) {
        long count = unsafe().getLong(lane);
        if ((count & CanonLane.WORK) != 0 || count == unsafe().getLong(lane + CanonLane.NEXT)) {
            count = await(lane);
        }
        return count;
    }

    @DontInline
    private static long await(long lane) {
        if ((unsafe().getLong(lane) & CanonLane.WORK) != 0) {
            done(lane);
        }
        long count;
        while ((count = unsafe().getLong(lane)) == unsafe().getLong(lane + CanonLane.NEXT)) {
            CanonOrder.await(lane); /* which may do other operations first: src/jvm/requests.h */
        }
        return count;
    }

    /** After the operation. */
    @DontInline
    public static void done() {
        long lane;
        if (Canon.counts && (lane = CanonLane.current()) != 0) {
            done(lane);
        }
    }

    @ForceInline
    static void done(long lane) {
        long count = (unsafe().getLong(lane) & ~CanonLane.WORK) + CanonLane.STEP;
        unsafe().storeFence();
        unsafe().putLong(lane, count);
        if (count >= unsafe().getLong(lane + CanonLane.WAITED)) {
            CanonOrder.ring(lane);
        }
        CanonOrder.did(lane);
    }

    /** What it is given: the compilers do not accept that a method locks what it has locked already. */
    @ForceInline
    public static Object identity(Object object) {
        return object;
    }

    /**
     * Entering counts before the monitor is there: it is free, or about to be, and nobody takes it until this strand has
     * counted that it leaves.
     */
    @DontInline
    public static void entering(Object lock) {
        if (Canon.counts && lock != null) {
            pass();
        }
    }

    /** The same in two steps, where nothing tells of monitors that are left: the engine to compare with. */
    @DontInline
    public static void awaiting(Object lock) {
        if (Canon.counts && lock != null) {
            begin();
        }
    }

    @DontInline
    public static void entered(Object lock) {
        done();
    }

    @DontInline
    public static void exiting(Object lock) {
        if (Canon.counts && lock != null) {
            pass(); /* the end of a recording may be here */
        }
    }

    /** An operation of which nothing has to be done between its beginning and its end. */
    @ForceInline
    private static void pass() {
        long lane = CanonLane.current();
        if (lane == 0) {
            return;
        }
        long count = due(lane) + CanonLane.STEP;
        unsafe().storeFence();
        unsafe().putLong(lane, count);
        if (count >= unsafe().getLong(lane + CanonLane.WAITED)) {
            CanonOrder.ring(lane);
        }
        CanonOrder.did(lane);
    }

    @DontInline
    public static void read(Object object) {
        if (Canon.counts && object != null) {
            begin();
        }
    }

    @DontInline
    public static void write(Object object) {
        read(object);
    }

    @DontInline
    public static void readStatic(int hash) {
        if (Canon.counts) {
            begin();
        }
    }

    @DontInline
    public static void writeStatic(int hash) {
        readStatic(hash);
    }

    @DontInline
    public static void readArray(Object array, int index) {
        if (Canon.counts && array != null && index >= 0 && index < java.lang.reflect.Array.getLength(array)) {
            begin();
        }
    }

    @DontInline
    public static void writeArray(Object array, int index) {
        readArray(array, index);
    }

    @DontInline
    public static void readAt(Object base, long offset) {
        if (Canon.counts) {
            begin();
        }
    }

    @DontInline
    public static void writeAt(Object base, long offset) {
        readAt(base, offset);
    }

    /* Plain fields, when data races are looked for. */

    public static Object cloned(Object copy, Object original) {
        if (Canon.counts && CanonLane.SHADOW != 0 && copy != null && copy != original
                && !copy.getClass().isArray()) {
            unsafe().putLong(copy, CanonLane.SHADOW, 0);
        }
        return copy;
    }

    public static void plain(Object object, int number) {
        long lane;
        if (Canon.counts && (lane = CanonLane.current()) != 0) {
            CanonRaces.access(lane, object, false, number);
        }
    }

    public static void plainStatic(int number) {
        long lane;
        if (Canon.counts && (lane = CanonLane.current()) != 0) {
            CanonRaces.access(lane, null, true, number);
        }
    }

    @ForceInline
    public static void read(Object object, int site) {
        if (Canon.on && object != null && !CanonOrder.isPlain(object, site)) {
            read(object);
        }
    }

    @ForceInline
    public static void write(Object object, int site) {
        read(object, site);
    }

    @ForceInline
    public static void readStatic(int hash, int site) {
        if (Canon.on && !CanonOrder.isPlain(null, site)) {
            readStatic(hash);
        }
    }

    @ForceInline
    public static void writeStatic(int hash, int site) {
        readStatic(hash, site);
    }

    @ForceInline
    public static void done(int site) {
        if (CanonOrder.isOrdered(site)) {
            done();
        }
    }

    /* In place of the methods of NativeThreadSet: nobody is in there. */

    public static int enterSet(Object set) {
        return 0;
    }

    public static void leaveSet(Object set, int index) {
        if (Canon.counts) {
            pass();
        }
    }

    public static void closeSet(Object set) {
        leaveSet(set, 0);
    }

    /** By number of a class: whether it is initialised, as far as anybody cares. */
    @Stable private static final byte[] INITIALISED = new byte[CanonOrder.SITES];

    /** Before an instruction that may initialise a class. */
    @ForceInline
    public static void initialising(Class<?> type, int number) {
        if (Canon.on && INITIALISED[number] == 0) {
            settle(type, number);
        }
    }

    @DontInline
    private static void settle(Class<?> type, int number) {
        if (CanonOrder.initialising(type, number)) {
            INITIALISED[number] = 1;
        }
    }
}
