package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * At every operation that orders threads, where one thread runs at a time (src/order/serial.h): while recording
 * and while replaying. Calls of these methods are put into all classes (src/jvm/hooks.c), in place of those of
 * {@link CanonRecord} and {@link CanonReplay}.
 *
 * <p>An operation is a point at which the thread may have to let another one run; what is operated on does not
 * matter. But for monitors: who has one may have let others run, and they must not block on it, since they
 * would block with the baton. So it is known who has it, in {@code Object.canonOwner}: number of the lane, and
 * above how many times it has entered. Only the thread whose turn it is reads and writes that.
 */
public final class CanonSerial {
    private CanonSerial() {}

    private static final int LANE_MASK = 0xfff;
    private static final int ONCE = LANE_MASK + 1;

    /** How often a thread gets hold of a monitor that seems to be another's before it is taken for free. */
    private static final int STALE = 1000;

    /** Set by the agent: false where threads run as they like, in a replay for tests. */
    static boolean exclusive;

    /* Arrays that are locked, and by whom: they have no field. */
    private static Object[] arrays = new Object[4];
    private static int[] arrayOwners = new int[4];
    private static int arrayCount;

    @ForceInline
    private static Unsafe unsafe() {
        return CanonLane.UNSAFE;
    }

    @ForceInline
    private static void point(long lane) {
        long count = unsafe().getLong(lane) + CanonLane.STEP;
        unsafe().putLong(lane, count);
        if (count >= unsafe().getLongOpaque(null, lane + CanonLane.NEXT)) {
            CanonOrder.turn(lane);
        }
        CanonOrder.did(lane);
    }

    /** Also called where loops begin anew. */
    @ForceInline
    public static void point() {
        long lane;
        if (Canon.on && (lane = CanonLane.current()) != 0) {
            point(lane);
        }
    }

    /** In place of Thread.onSpinWait: somebody else has to run for what is waited for. */
    public static void onSpinWait() {
        if (Canon.on && CanonLane.current() != 0) {
            CanonOrder.giveWay();
        } else {
            Thread.onSpinWait();
        }
    }

    /* ---- monitors ------------------------------------------------------------------------------------- */

    /** What it is given: the compilers do not accept that a method locks what it has locked already. */
    @ForceInline
    public static Object identity(Object object) {
        return object;
    }

    @ForceInline
    public static void entering(Object lock) {
        long lane;
        if (Canon.on && lock != null && (lane = CanonLane.current()) != 0) {
            point(lane);
            if (isOthers(lock, lane)) {
                await(lock, lane);
            }
        }
    }

    @ForceInline
    public static void entered(Object lock) {
        long lane;
        if (Canon.on && (lane = CanonLane.current()) != 0) {
            int owner = owner(lock);
            own(lock, isOthers(owner, lane) || owner == 0 ? number(lane) | ONCE : owner + ONCE);
        }
    }

    @ForceInline
    public static void exiting(Object lock) {
        long lane;
        if (Canon.on && lock != null && (lane = CanonLane.current()) != 0) {
            int owner = owner(lock);
            if (owner != 0 && !isOthers(owner, lane)) {
                own(lock, owner - ONCE > LANE_MASK ? owner - ONCE : 0);
            }
        }
    }

    @ForceInline
    private static int number(long lane) {
        return (int) unsafe().getLong(lane + CanonLane.NUMBER);
    }

    @ForceInline
    private static boolean isOthers(int owner, long lane) {
        return owner != 0 && (owner & LANE_MASK) != number(lane);
    }

    @ForceInline
    private static boolean isOthers(Object lock, long lane) {
        return isOthers(owner(lock), lane);
    }

    @ForceInline
    private static int owner(Object lock) {
        return lock.getClass().isArray() ? arrayOwner(lock) : unsafe().getInt(lock, CanonLane.OWNER);
    }

    @ForceInline
    private static void own(Object lock, int owner) {
        if (lock.getClass().isArray()) {
            ownArray(lock, owner);
        } else {
            unsafe().putInt(lock, CanonLane.OWNER, owner);
        }
    }

    @DontInline
    private static void await(Object lock, long lane) {
        for (int tries = 0; exclusive && isOthers(lock, lane) && tries < STALE; tries++) {
            if (!CanonOrder.blocked(lane, lock)) {
                return;
            }
        }
    }

    private static int placeOf(Object array) {
        int at = 0;
        while (at < arrayCount && arrays[at] != array) {
            at++;
        }
        return at;
    }

    @DontInline
    private static int arrayOwner(Object array) {
        int at = placeOf(array);
        return at < arrayCount ? arrayOwners[at] : 0;
    }

    @DontInline
    private static void ownArray(Object array, int owner) {
        if (!exclusive) {
            return;
        }
        int at = placeOf(array);
        if (owner == 0) {
            if (at < arrayCount) {
                arrays[at] = arrays[--arrayCount];
                arrayOwners[at] = arrayOwners[arrayCount];
                arrays[arrayCount] = null;
            }
            return;
        }
        if (at == arrays.length) {
            Object[] more = new Object[2 * at];
            int[] moreOwners = new int[2 * at];
            for (int i = 0; i < at; i++) {
                more[i] = arrays[i];
                moreOwners[i] = arrayOwners[i];
            }
            arrays = more;
            arrayOwners = moreOwners;
        }
        arrays[at] = array;
        arrayOwners[at] = owner;
        arrayCount = Math.max(arrayCount, at + 1);
    }

    /** Nobody has the monitor of a copy. */
    public static Object cloned(Object copy, Object original) {
        if (Canon.on && copy != null && copy != original && !copy.getClass().isArray()) {
            unsafe().putInt(copy, CanonLane.OWNER, 0);
        }
        return copy;
    }

    /** Object.wait leaves the monitor; returns what {@link #back} gets. Called by the agent. */
    static int left(Object lock, long lane) {
        int owner = owner(lock);
        if (owner == 0 || isOthers(owner, lane)) {
            return 0;
        }
        own(lock, 0);
        return owner;
    }

    /** Object.wait is about to enter it again. */
    static void back(Object lock, long lane, int owner) {
        if (isOthers(lock, lane)) {
            await(lock, lane);
        }
        if (owner != 0) {
            own(lock, owner);
        }
    }

    /* ---- fields --------------------------------------------------------------------------------------- */

    @ForceInline
    public static void done() {}

    @ForceInline
    public static void done(int site) {}

    @ForceInline
    public static void read(Object object) {
        if (object != null) {
            point();
        }
    }

    @ForceInline
    public static void write(Object object) {
        read(object);
    }

    @ForceInline
    public static void readStatic(int hash) {
        point();
    }

    @ForceInline
    public static void writeStatic(int hash) {
        point();
    }

    @ForceInline
    public static void readArray(Object array, int index) {
        if (array != null) {
            point();
        }
    }

    @ForceInline
    public static void writeArray(Object array, int index) {
        readArray(array, index);
    }

    @ForceInline
    public static void readAt(Object base, long offset) {
        point();
    }

    @ForceInline
    public static void writeAt(Object base, long offset) {
        point();
    }

    @ForceInline
    public static void read(Object object, int site) {
        if (Canon.on && object != null && !CanonOrder.isPlain(object, site)) {
            point();
        }
    }

    @ForceInline
    public static void write(Object object, int site) {
        read(object, site);
    }

    @ForceInline
    public static void readStatic(int hash, int site) {
        if (Canon.on && !CanonOrder.isPlain(null, site)) {
            point();
        }
    }

    @ForceInline
    public static void writeStatic(int hash, int site) {
        readStatic(hash, site);
    }
}
