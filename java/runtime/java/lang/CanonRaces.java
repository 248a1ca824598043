package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * Looks for data races in a replay: src/jvm/races.h. Called before accesses to plain fields.
 *
 * <p>What is known of an object's fields is in memory of its own, whose address is in the object, and which is never
 * given back (a clone may share it): this is for looking for causes. The lowest bit of the address is a lock.
 */
final class CanonRaces {
    private CanonRaces() {}

    private static final Unsafe UNSAFE = CanonLane.UNSAFE;

    /* A number for a site is its index, shifted, and these. */
    private static final int WRITES = 1;

    private static final int SITES = 1 << 20;
    private static final int FIELDS = 1 << 16;

    /** By site: the number of its field; 0: not asked for yet. */
    private static final int[] FIELD_AT = new int[SITES];

    /** By number of a static field: as in an object. */
    private static final long STATICS = CanonLane.zeroed(8L * FIELDS);

    /* The memory: how many cells there is room for, how many there are, then the cells. */
    private static final long CAPACITY = 0;
    private static final long COUNT = 8;
    private static final long CELLS = 16;
    private static final long CELL = 40;

    /* In a cell. */
    private static final long FIELD = 0;
    private static final long WRITTEN = 8;
    private static final long READ = 16;
    private static final long WRITTEN_AT = 24;
    private static final long READ_AT = 32;

    private static final int LANE_SHIFT = 48;

    static native int fieldAt(int site, boolean isStatic);

    static native void found(int lane, int site, int otherLane, int otherSite);

    static void access(long lane, Object object, boolean isStatic, int number) {
        if (object == null && !isStatic || UNSAFE.getLong(lane + CanonLane.CLOCK) == 0) {
            return;
        }
        int site = number >> 2;
        int field = FIELD_AT[site];
        if (field == 0) {
            field = FIELD_AT[site] = fieldAt(site, isStatic);
        }
        Object base = isStatic ? null : object;
        long at = isStatic ? STATICS + 8L * field : CanonLane.SHADOW;
        long memory = lock(base, at);
        try {
            memory = check(lane, memory, field, number);
        } finally {
            UNSAFE.putLongRelease(base, at, memory);
        }
    }

    private static long lock(Object base, long at) {
        while (true) {
            long memory = UNSAFE.getLongVolatile(base, at);
            if ((memory & 1) == 0 && UNSAFE.compareAndSetLong(base, at, memory, memory | 1)) {
                return memory;
            }
            CanonOrder.pause();
        }
    }

    /** Returns the memory, which may have grown. */
    private static long check(long lane, long memory, int field, int number) {
        long cell = find(memory, field);
        if (cell == 0) {
            memory = room(memory);
            cell = memory + CELLS + CELL * UNSAFE.getLong(memory + COUNT);
            UNSAFE.putLong(memory + COUNT, UNSAFE.getLong(memory + COUNT) + 1);
            UNSAFE.setMemory(cell, CELL, (byte) 0);
            UNSAFE.putLong(cell + FIELD, field);
        }
        boolean writes = (number & WRITES) != 0;
        compare(lane, UNSAFE.getLong(cell + WRITTEN), number, UNSAFE.getLong(cell + WRITTEN_AT));
        if (writes) {
            compare(lane, UNSAFE.getLong(cell + READ), number, UNSAFE.getLong(cell + READ_AT));
        }
        long now = UNSAFE.getLong(lane + CanonLane.NUMBER) << LANE_SHIFT | UNSAFE.getLong(lane) >> 2;
        UNSAFE.putLong(cell + (writes ? WRITTEN : READ), now);
        UNSAFE.putLong(cell + (writes ? WRITTEN_AT : READ_AT), number);
        return memory;
    }

    private static long find(long memory, int field) {
        long count = memory == 0 ? 0 : UNSAFE.getLong(memory + COUNT);
        for (long cell = memory + CELLS; cell < memory + CELLS + CELL * count; cell += CELL) {
            if (UNSAFE.getLong(cell + FIELD) == field) {
                return cell;
            }
        }
        return 0;
    }

    private static long room(long memory) {
        long capacity = memory == 0 ? 0 : UNSAFE.getLong(memory + CAPACITY);
        if (memory != 0 && UNSAFE.getLong(memory + COUNT) < capacity) {
            return memory;
        }
        long more = capacity == 0 ? 1 : 2 * capacity;
        long made = UNSAFE.allocateMemory(CELLS + CELL * more);
        UNSAFE.putLong(made + COUNT, 0);
        if (memory != 0) {
            UNSAFE.copyMemory(memory, made, CELLS + CELL * capacity);
        }
        UNSAFE.putLong(made + CAPACITY, more);
        return made;
    }

    /** Whether what another lane did then comes before what this one is about to do. */
    private static void compare(long lane, long then, int number, long otherNumber) {
        long other = then >>> LANE_SHIFT;
        if (then == 0 || other == UNSAFE.getLong(lane + CanonLane.NUMBER)) {
            return;
        }
        long clock = UNSAFE.getLong(lane + CanonLane.CLOCK);
        if (UNSAFE.getLong(clock + 8 * other) <= (then & (1L << LANE_SHIFT) - 1)) {
            found((int) UNSAFE.getLong(lane + CanonLane.NUMBER), number, (int) other, (int) otherNumber);
        }
    }
}
