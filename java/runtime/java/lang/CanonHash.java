package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * Identity hash codes come from the strand that first asks, so that they are the same in every run. The JVM
 * reads them from the mark word; this puts the chosen one there.
 *
 * <p>While an object is locked its mark word has another use. Whether it is, depends on more than the program
 * (an idle lock stays inflated until the JVM's own housekeeping comes by), so such an object gets a chosen
 * hash code too: the JVM is asked for one, which moves the word into the lock's monitor, and there the chosen
 * one replaces it. All in Java, since from C it could race a moving collector.
 */
final class CanonHash {
    private CanonHash() {}

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final int NEUTRAL = 1;
    private static final int INFLATED = 2;
    /** What the JVM's own hash codes are: see launch.c. */
    private static final int VM_HASH = 1;
    private static final int RECHECKS = 64;

    /** Where the hash is in a mark word. */
    private static int shift;
    /** Whether a lock that is not inflated leaves it there. */
    private static boolean keptWhenLocked;
    /** Whether an inflated lock has the mark word of its object, in the first word of the monitor. */
    private static boolean inMonitor;

    /** Called by the agent, with an object whose lock is inflated. Whether this JVM's locks are understood. */
    private static boolean prepare(Object object, int hashShift, boolean kept) {
        shift = hashShift;
        keptWhenLocked = kept;
        vmHash(object);
        long mark = UNSAFE.getLongVolatile(object, 0L);
        inMonitor = in(mark) != VM_HASH;
        return (mark & 3) == INFLATED && (!inMonitor || in(UNSAFE.getLong(mark ^ INFLATED)) == VM_HASH);
    }

    /** The JVM's own way. */
    private static native int vmHash(Object object);

    /** Makes the JVM move the mark word from a thread's stack into a monitor; or, if it stays there, the hash code. */
    private static native int inflate(Object object);

    /**
     * The next hash code of the current strand; greater than any that canon did not choose. 0, after a moment, if
     * another strand chooses it; {@code tries} is how often it was asked before.
     */
    private static native int nextHash(Object object, int tries);

    /** The object has got the hash code that nextHash gave last, or (not won) another one. */
    private static native void took(Object object, boolean won);

    private static int in(long word) {
        return (int) (word >>> shift) & 0x7fffffff;
    }

    private static long with(long word, int hash) {
        return word & ~(0x7fffffffL << shift) | (long) hash << shift;
    }

    static int hash(Object object) {
        for (int tries = 0; ; tries++) {
            long mark = UNSAFE.getLongVolatile(object, 0L);
            if ((mark & 3) != NEUTRAL) {
                return ofLocked(object, mark);
            }
            if (in(mark) != 0) {
                return in(mark);
            }
            int chosen = nextHash(object, tries);
            if (chosen != 0) {
                boolean won = UNSAFE.compareAndSetLong(object, 0L, mark, with(mark, chosen));
                took(object, won);
                if (won) {
                    return chosen;
                }
            }
        }
    }

    private static int ofLocked(Object object, long mark) {
        int known = isOnStack(mark) ? inflate(object) : 0;
        known = known != 0 ? known : known(object);
        return known > VM_HASH ? known : replace(object, 0);
    }

    private static boolean isOnStack(long mark) {
        return (mark & 3) == 0 && !keptWhenLocked;
    }

    /** The hash code of an object that has one, as far as can be told; else 0, or the JVM's own. */
    private static int known(Object object) {
        return known(object, UNSAFE.getLongVolatile(object, 0L));
    }

    private static int known(Object object, long mark) {
        return (mark & 3) == INFLATED ? in(inMonitor ? UNSAFE.getLong(mark ^ INFLATED) : mark)
                : (mark & 3) == NEUTRAL || keptWhenLocked ? in(mark)
                : 0;
    }

    /**
     * Gives an object, whose hash code nobody but the JVM knows, this one, or for 0 the strand's next; or the one that
     * another thread gave.
     */
    private static int replace(Object object, int given) {
        for (int tries = 0; ; tries++) {
            int chosen = given != 0 ? given : nextHash(object, tries); /* first: monitors go while nobody looks */
            int found = put(object, chosen);
            if (given == 0 && chosen != 0) {
                took(object, found == chosen);
            }
            if (found != 0) {
                return found;
            }
        }
    }

    /** One try: what the object has then, or 0. */
    private static int put(Object object, int chosen) {
        long mark = UNSAFE.getLongVolatile(object, 0L);
        boolean away = (mark & 3) == INFLATED && inMonitor;
        if (isOnStack(mark)) {
            return inflate(object); /* the lock was let go and taken anew */
        }
        Object base = away ? null : object;
        long at = away ? mark ^ INFLATED : 0;
        long word = away ? UNSAFE.getLongVolatile(null, at) : mark;
        if (in(word) > VM_HASH) {
            return in(word);
        }
        return chosen != 0 && UNSAFE.compareAndSetLong(base, at, word, with(word, chosen))
                && (!away || staysReplaced(object)) ? chosen : 0;
    }

    /** The JVM may just have been about to move the word back from an idle monitor. */
    private static boolean staysReplaced(Object object) {
        for (int i = 0; i < RECHECKS; i++) {
            long mark = UNSAFE.getLongVolatile(object, 0L);
            if ((mark & 3) == NEUTRAL) {
                return in(mark) > VM_HASH;
            }
        }
        return true;
    }

    /** A class is new: it has this hash code from its name. */
    private static void ofClass(Object object, int hash) {
        replace(object, hash);
    }
}
