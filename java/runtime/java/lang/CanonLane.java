package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/** Where things are in a lane (src/order/lane.h), a thread's block (src/jvm/threads.h), and in objects. */
final class CanonLane {
    private CanonLane() {}

    static final Unsafe UNSAFE = Unsafe.getUnsafe();

    /** In struct canon_block: the address of the lane, 0 for none. */
    static final long LANE = 0;

    /** Of the current thread; 0: what it does now has no order. */
    @ForceInline
    static long current() {
        long block = Thread.currentThread().canonBlock;
        return block == 0 ? 0 : UNSAFE.getLong(block + LANE);
    }

    /* In struct canon_lane. */
    static final long NEXT = 8;
    static final long WAITED = 16;
    static final long NUMBER = 24;
    static final long OWNED = 32;
    static final long HELD_AT = 40;
    static final long HELD_WORD = 48;
    static final long SEEN = 56;
    static final long CLOCK = 64;

    /* The low bits of a lane's count, and what an operation adds. */
    static final long FAST = 1;
    static final long SLOW = 2;
    static final long WORK = FAST | SLOW;
    static final long STEP = 4;

    /** In every object: who left its monitor last: number of the lane, low bits of its operations above. */
    static final long OWNER = UNSAFE.objectFieldOffset(Object.class, "canonOwner");

    /** In every object, when data races are looked for (CanonRaces): what is known of it; otherwise 0. */
    static final long SHADOW = offset(Object.class, "canonShadow");

    /** In threads: that it was interrupted. */
    static final long MARK = UNSAFE.objectFieldOffset(Thread.class, "interrupted");

    /** In classes: where instances have their word; 0: not known yet, -1: they have none. */
    static final long WORD = UNSAFE.objectFieldOffset(Class.class, "canonWordAt");

    /** Set by the agent: where the elements of arrays of references begin, and how large each is. */
    static int arrayBase;
    static int arrayShift;

    /** The number of the element, so that accesses by index and by offset share a word. */
    static long elementAt(long offset) {
        return offset - arrayBase >> arrayShift;
    }

    /** Words for what has none of its own, by a hash of what it is. */
    static final int STRIPES = 1 << 15;
    static final long STRIPE_BASE = zeroed(8L * STRIPES);

    static long zeroed(long bytes) {
        long address = UNSAFE.allocateMemory(bytes);
        UNSAFE.setMemory(address, bytes, (byte) 0);
        return address;
    }

    /** Finds out where instances of a class have their word. */
    static int findWord(Class<?> type) {
        int at = 0;
        for (Class<?> c = type; c != null && at == 0; c = c.getSuperclass()) {
            at = (int) offset(c, "canonWord");
        }
        at = at == 0 ? -1 : at;
        UNSAFE.putInt(type, WORD, at);
        return at;
    }

    /** Of a field that the class may have been given; 0: it has none. */
    static long offset(Class<?> type, String field) {
        try {
            return UNSAFE.objectFieldOffset(type, field);
        } catch (InternalError e) {
            return 0;
        }
    }

    /* In classes: offset of a static field, hash of its name, and so on; null: none asked for yet. */
    private static final long STATICS = UNSAFE.objectFieldOffset(Class.class, "canonStatics");

    /** The hash by which accesses in bytecode know a static field. */
    static long staticHash(Class<?> type, long offset) {
        long[] known = (long[]) UNSAFE.getReferenceVolatile(type, STATICS);
        for (int i = 0; known != null && i < known.length; i += 2) {
            if (known[i] == offset) {
                return known[i + 1];
            }
        }
        return addStatic(type, known, offset);
    }

    private static long addStatic(Class<?> type, long[] known, long offset) {
        long lane = suspend();
        int length = known == null ? 0 : known.length;
        long[] more = new long[length + 2];
        for (int i = 0; i < length; i++) {
            more[i] = known[i];
        }
        more[length] = offset;
        more[length + 1] = CanonOrder.staticHash(type, offset);
        UNSAFE.putReferenceVolatile(type, STATICS, more); /* another one's may get lost: it is added again */
        if (lane != 0) {
            resume(lane);
        }
        return more[length + 1];
    }

    private static final long END = UNSAFE.objectFieldOffset(Thread.class, "canonEnd");

    static long endOf(Object thread) {
        return UNSAFE.getLong(thread, END);
    }

    /** Nothing is ordered until resume; returns what resume gets. */
    static long suspend() {
        long block = Thread.currentThread().canonBlock;
        long lane = block == 0 ? 0 : UNSAFE.getLong(block + LANE);
        if (lane != 0) {
            UNSAFE.putLong(block + LANE, 0);
        }
        return lane;
    }

    static void resume(long lane) {
        UNSAFE.putLong(Thread.currentThread().canonBlock + LANE, lane);
    }

    static long stripe(long key) {
        return STRIPE_BASE + 8 * ((key * 0x9e3779b97f4a7c15L) >>> 49);
    }
}
