package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Around every operation that orders threads, while recording. Calls of these methods are put into all classes
 * (src/jvm/hooks.c); the counterpart is {@link CanonReplay}.
 *
 * <p>What fields of an object were accessed last, and by whom, is kept in a word: one for all fields of the
 * object, in a field that classes with volatile fields get; static fields and array elements share words by a
 * hash. Words change between three modes:
 *
 * <ul>
 * <li>locked: the operation locks the word by compare-and-set, and leaves in it who did it when. The next one,
 *     on another lane, comes after that: an edge, if it is not known yet.
 * <li>owned by a lane, after many operations of that lane alone: it looks at the word and goes on.
 * <li>shared, after many reads and no write: readers look at the word and go on, once they come after the
 *     last write.
 * </ul>
 *
 * <p>In the last two modes an operation writes nothing but its lane's count, before (it is in work) and
 * after. Who takes the word away from them locks it, makes a fence in all threads, and waits for the lanes
 * that are in work: then each of them has either seen the lock, or has done its operation, and its count tells.
 * That costs microseconds, so the word keeps how often it was taken away, and takes longer to get there again.
 *
 * <p>What is called around operations is not inlined: compiling copies of it costs more than calls do.
 */
public final class CanonRecord {
    private CanonRecord() {}

    private static final long MODE = 3L << 62;
    private static final long OWNED = 1L << 62;
    private static final long SHARED = 2L << 62;
    private static final long LOCKED = 1L << 61;
    private static final int LANE_SHIFT = 49;
    private static final long LANE_MASK = 0xfff;
    private static final int STREAK_SHIFT = 44;
    private static final int READS_SHIFT = 39;
    private static final int ENOUGH = 31;
    private static final int TAKEN_SHIFT = 36;
    private static final long TAKEN_MASK = 7L << TAKEN_SHIFT;
    private static final long COUNT_MASK = (1L << TAKEN_SHIFT) - 1;

    /* Monitors: Object.canonOwner. */
    private static final int OWNER_MASK = 0xfff;
    private static final int OWNER_SHIFT = 12;

    @ForceInline
    private static Unsafe unsafe() {
        return CanonLane.UNSAFE;
    }

    /* ---- monitors ------------------------------------------------------------------------------------- */

    /** What it is given: the compilers do not accept that a method locks what it has locked already. */
    @ForceInline
    public static Object identity(Object object) {
        return object;
    }

    @DontInline
    public static void entered(Object lock) {
        long lane;
        if (!Canon.counts || (lane = CanonLane.current()) == 0) {
            return;
        }
        if (lock.getClass().isArray()) {
            enteredArray(lane, lock);
            return;
        }
        idle(lane); /* before the edge, which tells how many there were */
        int owner = unsafe().getInt(lock, CanonLane.OWNER);
        if (((owner ^ unsafe().getInt(lane + CanonLane.NUMBER)) & OWNER_MASK) != 0 && owner != 0) {
            CanonOrder.followOwner(lane, owner);
        }
        count(lane);
    }

    @DontInline
    public static void exiting(Object lock) {
        long lane;
        if (!Canon.counts || lock == null || (lane = CanonLane.current()) == 0) {
            return;
        }
        if (lock.getClass().isArray()) {
            enteredArray(lane, lock);
            return;
        }
        long count = count(lane);
        unsafe().putInt(lock, CanonLane.OWNER,
                unsafe().getInt(lane + CanonLane.NUMBER) | (int) (count >> 2) << OWNER_SHIFT);
    }

    @ForceInline
    private static long count(long lane) {
        long count = idle(lane) + CanonLane.STEP;
        unsafe().storeFence();
        unsafe().putLong(lane, count);
        CanonOrder.did(lane);
        return count;
    }

    /** Arrays have no room for an owner: their monitors share words by length. */
    @DontInline
    private static void enteredArray(long lane, Object array) {
        begin(lane, null, CanonLane.stripe(~(long) java.lang.reflect.Array.getLength(array)), true);
        done();
    }

    /** What clone() returns is a copy of the words, too: who touched the original is nothing to it. */
    public static Object cloned(Object copy, Object original) {
        if (Canon.counts && copy != null && copy != original && !copy.getClass().isArray()) {
            unsafe().putInt(copy, CanonLane.OWNER, 0);
            int at = unsafe().getInt(copy.getClass(), CanonLane.WORD);
            if (at > 0) {
                unsafe().putLong(copy, at, 0);
            }
        }
        return copy;
    }

    /* ---- fields --------------------------------------------------------------------------------------- */

    @DontInline
    public static void read(Object object) {
        long lane;
        if (Canon.counts && object != null && (lane = CanonLane.current()) != 0) {
            int at = unsafe().getInt(object.getClass(), CanonLane.WORD);
            if (at > 0) {
                begin(lane, object, at, false);
            } else {
                beginRare(lane, object, at, false);
            }
        }
    }

    @DontInline
    public static void write(Object object) {
        long lane;
        if (Canon.counts && object != null && (lane = CanonLane.current()) != 0) {
            int at = unsafe().getInt(object.getClass(), CanonLane.WORD);
            if (at > 0) {
                begin(lane, object, at, true);
            } else {
                beginRare(lane, object, at, true);
            }
        }
    }

    @DontInline
    public static void readStatic(int hash) {
        long lane;
        if (Canon.counts && (lane = CanonLane.current()) != 0) {
            begin(lane, null, CanonLane.stripe(hash), false);
        }
    }

    @DontInline
    public static void writeStatic(int hash) {
        long lane;
        if (Canon.counts && (lane = CanonLane.current()) != 0) {
            begin(lane, null, CanonLane.stripe(hash), true);
        }
    }

    @DontInline
    public static void readArray(Object array, int index) {
        long lane;
        if (Canon.counts && inside(array, index) && (lane = CanonLane.current()) != 0) {
            begin(lane, null, stripe(array, index), false);
        }
    }

    @DontInline
    public static void writeArray(Object array, int index) {
        long lane;
        if (Canon.counts && inside(array, index) && (lane = CanonLane.current()) != 0) {
            begin(lane, null, stripe(array, index), true);
        }
    }

    @ForceInline
    private static boolean inside(Object array, int index) {
        return array != null && index >= 0 && index < java.lang.reflect.Array.getLength(array);
    }

    /** Numbers have one word an array, references one an element; each shared with arrays as long. */
    @ForceInline
    private static long stripe(Object array, long index) {
        long where = array instanceof Object[] ? index + 1 : 0;
        return CanonLane.stripe(where << 32 ^ java.lang.reflect.Array.getLength(array));
    }

    /* Unsafe, and what is made of it: VarHandles, atomics. */

    @DontInline
    public static void readAt(Object base, long offset) {
        long lane;
        if (Canon.counts && (lane = CanonLane.current()) != 0) {
            at(lane, base, offset, false);
        }
    }

    @DontInline
    public static void writeAt(Object base, long offset) {
        long lane;
        if (Canon.counts && (lane = CanonLane.current()) != 0) {
            at(lane, base, offset, true);
        }
    }

    @ForceInline
    static void at(long lane, Object base, long offset, boolean writes) {
        if (base == null) {
            begin(lane, null, CanonLane.stripe(offset), writes);
            return;
        }
        Class<?> type = base.getClass();
        if (type == Class.class) {
            begin(lane, null, CanonLane.stripe(CanonLane.staticHash((Class<?>) base, offset)), writes);
            return;
        }
        if (type.isArray()) {
            begin(lane, null, stripe(base, CanonLane.elementAt(offset)), writes);
            return;
        }
        int at = unsafe().getInt(type, CanonLane.WORD);
        if (at > 0) {
            begin(lane, base, at, writes);
        } else {
            beginRare(lane, base, at, writes);
        }
    }

    /** A thread is done with a file that others may be reading: before NativeThreadSet.remove. */
    public static void leaveSet(Object set) {
        read(set);
        done();
    }

    /** Who closes the file waits for them. */
    public static void awaitSet(Object set, long millis) throws InterruptedException {
        long lane = CanonLane.suspend();
        try {
            set.wait(millis);
        } finally {
            if (lane != 0) {
                CanonLane.resume(lane);
            }
        }
    }

    /** All of them are, and the file may be closed: after NativeThreadSet.signalAndWait. */
    public static void closeSet(Object set) {
        write(set);
        done();
    }

    /** The JVM looked at the thread's mark of interruption and took it away; called by the agent. */
    static boolean marked(Object thread, long lane) {
        int at = unsafe().getInt(thread.getClass(), CanonLane.WORD);
        if (at == 0) {
            at = CanonLane.findWord(thread.getClass());
        }
        begin(lane, thread, at, false);
        boolean again = unsafe().getBoolean(thread, CanonLane.MARK);
        done(lane);
        return again;
    }

    /* Sites whose field was not known when the class was rewritten. */

    @ForceInline
    public static void read(Object object, int site) {
        if (Canon.on && object != null && !CanonOrder.isPlain(object, site)) {
            read(object);
        }
    }

    @ForceInline
    public static void write(Object object, int site) {
        if (Canon.on && object != null && !CanonOrder.isPlain(object, site)) {
            write(object);
        }
    }

    @ForceInline
    public static void readStatic(int hash, int site) {
        if (Canon.on && !CanonOrder.isPlain(null, site)) {
            readStatic(hash);
        }
    }

    @ForceInline
    public static void writeStatic(int hash, int site) {
        if (Canon.on && !CanonOrder.isPlain(null, site)) {
            writeStatic(hash);
        }
    }

    @ForceInline
    public static void done(int site) {
        if (CanonOrder.isOrdered(site)) {
            done();
        }
    }

    /* ---- operations ----------------------------------------------------------------------------------- */

    @ForceInline
    private static void begin(long lane, Object base, long at, boolean writes) {
        Unsafe unsafe = unsafe();
        long count = idle(lane);
        unsafe.putLong(lane, count + CanonLane.FAST);
        unsafe.storeFence(); /* for compilers: the store comes before the load; for processors see above */
        long word = unsafe.getLongVolatile(base, at);
        if ((word & ~TAKEN_MASK) != unsafe.getLong(lane + CanonLane.OWNED) && (writes || !isShared(lane, word))) {
            lock(lane, count, base, at, writes);
        }
    }

    /** The lane's count, between two operations. */
    @ForceInline
    private static long idle(long lane) {
        long count = unsafe().getLong(lane);
        return (count & CanonLane.WORK) == 0 ? count : settle(lane);
    }

    /**
     * The last operation threw (a store into an array that does not take the value, a field that is not there, no room
     * on the stack): it is over, and counts. Called by the agent, too, before a step begins.
     */
    @DontInline
    static long settle(long lane) {
        done(lane);
        return unsafe().getLong(lane);
    }

    @ForceInline
    private static boolean isShared(long lane, long word) {
        return (word & (MODE | LOCKED)) == SHARED && comesAfter(lane, word);
    }

    /** Whether the lane is known to come after the operation that left the word. */
    @ForceInline
    private static boolean comesAfter(long lane, long word) {
        long seen = unsafe().getLong(lane + CanonLane.SEEN) + 8 * laneOf(word);
        long count = word & COUNT_MASK;
        return count != COUNT_MASK && unsafe().getLong(seen) >= count;
    }

    @ForceInline
    private static long laneOf(long word) {
        return word >>> LANE_SHIFT & LANE_MASK;
    }

    /** An object without a word of its own, or of a class not seen before. */
    @DontInline
    private static void beginRare(long lane, Object object, int at, boolean writes) {
        if (at == 0) {
            long quiet = CanonReferences.enterQuiet();
            at = CanonLane.findWord(object.getClass());
            CanonReferences.leaveQuiet(quiet);
        }
        if (at > 0) {
            begin(lane, object, at, writes);
        } else {
            begin(lane, null, CanonLane.stripe(object.getClass().hashCode()), writes);
        }
    }

    @DontInline
    private static void lock(long lane, long count, Object base, long at, boolean writes) {
        Unsafe unsafe = unsafe();
        unsafe.putLongRelease(null, lane, count + CanonLane.SLOW);
        long word;
        for (int tries = 0; ; tries++) {
            word = unsafe.getLongVolatile(base, at);
            if ((word & LOCKED) == 0 && unsafe.compareAndSetLong(base, at, word, word | LOCKED)) {
                break;
            }
            if (tries < 100) {
                Thread.onSpinWait();
            } else {
                CanonOrder.pause();
            }
        }
        follow(lane, word, writes);
        Thread.currentThread().canonHeld = base;
        unsafe.putLong(lane + CanonLane.HELD_AT, at);
        unsafe.putLong(lane + CanonLane.HELD_WORD, next(lane, word, writes));
    }

    /** Puts the operation behind those that it comes after. */
    @ForceInline
    private static void follow(long lane, long word, boolean writes) {
        long other = laneOf(word);
        long mode = word & MODE;
        if (mode == SHARED && writes) {
            CanonOrder.follow(lane, 0, true);
        } else if (word != 0 && other != unsafe().getLong(lane + CanonLane.NUMBER)) {
            if (mode == OWNED) {
                CanonOrder.follow(lane, (int) other, true);
            } else if (!comesAfter(lane, word)) {
                CanonOrder.follow(lane, (int) other, false);
            }
        }
    }

    /** What the word becomes; without the count, if it has one. */
    @ForceInline
    private static long next(long lane, long word, boolean writes) {
        long me = unsafe().getLong(lane + CanonLane.NUMBER);
        long mode = word & MODE;
        if (mode == SHARED && !writes || mode == OWNED && laneOf(word) == me) {
            return word;
        }
        long taken = word & TAKEN_MASK;
        if (mode != 0) {
            return me << LANE_SHIFT | Math.min(taken + (1L << TAKEN_SHIFT), TAKEN_MASK);
        }
        long more = counts(lane, taken) ? 1 : 0;
        long streak = laneOf(word) == me ? (word >>> STREAK_SHIFT & ENOUGH) + more : 0;
        long reads = writes ? 0 : (word >>> READS_SHIFT & ENOUGH) + more;
        long mine = me << LANE_SHIFT | taken;
        if (streak > ENOUGH) {
            return CanonOrder.biased ? mine | OWNED : mine | (long) ENOUGH << STREAK_SHIFT;
        }
        if (reads > ENOUGH) {
            return CanonOrder.biased ? mine | SHARED : mine | (long) ENOUGH << READS_SHIFT;
        }
        return mine | streak << STREAK_SHIFT | reads << READS_SHIFT;
    }

    /** Of operations on a word that was taken away often, few count: as many as come at round numbers. */
    @ForceInline
    private static boolean counts(long lane, long taken) {
        int often = (int) (taken >>> TAKEN_SHIFT);
        return (unsafe().getLong(lane) >> 2 & (1L << 2 * often) - 1) == 0;
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
        long count = unsafe().getLong(lane);
        if ((count & CanonLane.FAST) != 0) {
            unsafe().storeFence();
            unsafe().putLong(lane, count + CanonLane.STEP - CanonLane.FAST);
        } else if ((count & CanonLane.SLOW) != 0) {
            unlock(lane, count + CanonLane.STEP - CanonLane.SLOW);
        }
        CanonOrder.did(lane);
    }

    @DontInline
    private static void unlock(long lane, long count) {
        Unsafe unsafe = unsafe();
        Thread thread = Thread.currentThread();
        Object base = thread.canonHeld;
        long at = unsafe.getLong(lane + CanonLane.HELD_AT);
        long word = unsafe.getLong(lane + CanonLane.HELD_WORD);
        if ((word & MODE) == 0 || (word & MODE) == SHARED && (word & COUNT_MASK) == 0) {
            word |= Math.min(count >> 2, COUNT_MASK);
        }
        thread.canonHeld = null;
        unsafe.putLongRelease(null, lane, count);
        unsafe.putLongRelease(base, at, word);
    }
}
