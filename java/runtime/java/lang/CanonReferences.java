package java.lang;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;

/**
 * What the garbage collector decides, made repeatable.
 *
 * <p>The collector shows itself to a program in a few places only: a reference that is found cleared, and
 * a reference that comes out of a queue. Each such look is counted, per strand; a look that shows the
 * collector's work is an event. Looks are counted apart for references of different classes (in buckets by
 * the hash of the class, which comes from its name), so that a look more or less that the JVM's own work
 * makes somewhere does not matter elsewhere. At replay the collector has no say: every reference holds its referent
 * strongly (field canonHold) until the look that found it cleared, or got it from its queue, comes round.
 *
 * <p>Used only after {@link Canon#on} is set. The fields canon* are put into the reference classes and
 * into Thread by rewriting, so they are reached through Unsafe.
 */
final class CanonReferences {
    private CanonReferences() {}

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long BLOCK = UNSAFE.objectFieldOffset(Thread.class, "canonBlock");
    private static final long QUEUE = UNSAFE.objectFieldOffset(Reference.class, "queue");
    private static final long NEXT = UNSAFE.objectFieldOffset(Reference.class, "next");
    private static final Class<?> FINAL = finalReference();
    private static final long[] HOLD = offsets("canonHold");
    private static final long[] STATE = offsets("canonState");
    private static final long[] ID = offsets("canonId");

    /* Layout of struct canon_block (threads.h). */
    private static final long LANE = 0;
    private static final long OUTER_LANE = 8;
    private static final long TURN = 16;
    private static final long TURN_BUCKET = 24;
    private static final long ID_BASE = 32;
    private static final long QUIET = 40;
    private static final long LOOKS = 48;
    private static final int BUCKETS = 64;
    private static final long CREATED = LOOKS + 8 * BUCKETS;
    /** Polls and removes have a bucket of their own. */
    private static final int QUEUES = BUCKETS - 1;

    /** Set by the agent: replaying. */
    static boolean holding;
    /** Set by the agent: queue of the JDK's own cleaner, which frees memory and files behind the scenes. */
    static Object commonQueue;
    /** Set by the agent: the queue that stands for none. */
    static Object noQueue;

    /**
     * In canonState. Where the order of threads is kept by edges, others than the program's own clear() leave the
     * lane and the operation that found the reference cleared: who does not come after that finds it by itself.
     */
    private static final long KNOWN_CLEARED = 1;
    private static final int STAMP_BITS = 48;

    private static Class<?> finalReference() {
        try {
            return Class.forName("java.lang.ref.FinalReference", false, null);
        } catch (ClassNotFoundException e) {
            throw new InternalError(e);
        }
    }

    private static long[] offsets(String field) {
        return new long[] {
            UNSAFE.objectFieldOffset(WeakReference.class, field),
            UNSAFE.objectFieldOffset(SoftReference.class, field),
            UNSAFE.objectFieldOffset(PhantomReference.class, field),
            UNSAFE.objectFieldOffset(FINAL, field),
        };
    }

    private static int kind(Object reference) {
        return reference instanceof WeakReference ? 0
                : reference instanceof SoftReference ? 1
                : reference instanceof PhantomReference ? 2
                : 3;
    }

    /** Counters of the current strand; 0 where nothing is to be counted. */
    private static long block() {
        long block = UNSAFE.getLong(Thread.currentThread(), BLOCK);
        return block == 0 || UNSAFE.getLong(block + QUIET) != 0 ? 0 : block;
    }

    static long enterQuiet() {
        long block = UNSAFE.getLong(Thread.currentThread(), BLOCK);
        if (block != 0) {
            long depth = UNSAFE.getLong(block + QUIET);
            if (depth == 0) {
                UNSAFE.putLong(block + OUTER_LANE, UNSAFE.getLong(block + LANE));
                UNSAFE.putLong(block + LANE, 0);
            }
            UNSAFE.putLong(block + QUIET, depth + 1);
        }
        return block;
    }

    static void leaveQuiet(long block) {
        long depth = UNSAFE.getLong(block + QUIET) - 1;
        UNSAFE.putLong(block + QUIET, depth);
        if (depth == 0) {
            UNSAFE.putLong(block + LANE, UNSAFE.getLong(block + OUTER_LANE));
        }
    }

    /** Called at the end of the constructors of the reference classes. */
    static void created(Object reference, Object referent) {
        Object queue = UNSAFE.getReference(reference, QUEUE);
        boolean queued = queue != noQueue;
        if (queued && (queue == commonQueue || reference instanceof jdk.internal.ref.Cleaner)) {
            return;
        }
        int kind = kind(reference);
        if (holding) {
            UNSAFE.putReference(reference, HOLD[kind], referent);
        }
        long block = block();
        if (queued && block != 0) {
            int bucket = bucket(referent == null ? reference : referent);
            long number = UNSAFE.getLong(block + CREATED + 8 * bucket) + 1;
            UNSAFE.putLong(block + CREATED + 8 * bucket, number);
            long id = UNSAFE.getLong(block + ID_BASE) + ((long) bucket << 26) + number;
            UNSAFE.putLong(reference, ID[kind], id);
            if (holding) {
                register(reference, id);
            }
        }
    }

    /** The program itself clears or enqueues the reference. */
    static void clearing(Object reference) {
        int kind = kind(reference);
        UNSAFE.putLong(reference, STATE[kind], KNOWN_CLEARED);
        if (holding) {
            UNSAFE.putReference(reference, HOLD[kind], null);
        }
    }

    private static int bucket(Object object) {
        return object.getClass().hashCode() % QUEUES;
    }

    /** Counts a look; whether it is the one at which the next event is due. */
    private static boolean look(long block, int bucket) {
        long looks = UNSAFE.getLong(block + LOOKS + 8 * bucket) + 1;
        UNSAFE.putLong(block + LOOKS + 8 * bucket, looks);
        return looks == UNSAFE.getLong(block + TURN) && bucket == UNSAFE.getLong(block + TURN_BUCKET);
    }

    /** Result of get(). */
    static Object got(Object value, Object reference) {
        long block = block();
        if (block == 0) {
            return value;
        }
        boolean turn = look(block, bucket(reference));
        if (value != null && !turn) {
            return value;
        }
        return foundCleared(reference, value == null, turn) ? null : value;
    }

    /** Result of refersTo(null). */
    static boolean isCleared(boolean cleared, Object reference) {
        long block = block();
        if (block == 0) {
            return cleared;
        }
        boolean turn = look(block, bucket(reference));
        return cleared || turn ? foundCleared(reference, cleared, turn) : false;
    }

    private static boolean foundCleared(Object reference, boolean cleared, boolean turn) {
        int kind = kind(reference);
        long state = UNSAFE.getLong(reference, STATE[kind]);
        if (holding) {
            if (!turn) {
                return cleared; /* made with null, or the strand comes after the one that found it cleared */
            }
            takeCleared(bucket(reference));
            release(reference);
            foundQueued();
            return true;
        }
        if (state != KNOWN_CLEARED && !comesAfter(state)) {
            UNSAFE.putLong(reference, STATE[kind], recordCleared(bucket(reference), state));
        }
        return cleared;
    }

    /** Recorder: whether the lane comes after the operation that a state tells of: src/jvm/refs.c. */
    private static boolean comesAfter(long state) {
        long lane;
        if (state == 0 || (lane = CanonLane.current()) == 0) { /* without an order there is no state, and no lane */
            return false;
        }
        long seen = UNSAFE.getLong(lane + CanonLane.SEEN) + 8 * (state >>> STAMP_BITS);
        return UNSAFE.getLong(seen) >= (state & (1L << STAMP_BITS) - 1);
    }

    private static void release(Object reference) {
        clearing(reference);
        clear(reference);
    }

    /** Before ReferenceQueue.poll looks. */
    static void polling() {
        long block = block();
        if (block != 0) {
            look(block, QUEUES);
        }
    }

    /** Result of ReferenceQueue.poll. */
    static Object polled(Object reference) {
        if (holding) {
            long block = block();
            if (block == 0
                    || UNSAFE.getLong(block + LOOKS + 8 * QUEUES) != UNSAFE.getLong(block + TURN)
                    || UNSAFE.getLong(block + TURN_BUCKET) != QUEUES) {
                return reference;
            }
            Object recorded = takePolled();
            return reference == null && recorded != null ? dequeued(recorded) : reference;
        }
        if (reference != null) {
            UNSAFE.putLong(reference, STATE[kind(reference)], KNOWN_CLEARED);
            if (block() != 0) {
                recordPolled(UNSAFE.getLong(reference, ID[kind(reference)]));
            }
        }
        return reference;
    }

    /** The reference as it is after it was queued and polled, without a moment in which others see it there. */
    private static Object dequeued(Object reference) {
        if (kind(reference) == 3) {
            UNSAFE.putReference(reference, HOLD[3], null);
        } else {
            release(reference);
        }
        UNSAFE.putReferenceVolatile(reference, NEXT, reference);
        UNSAFE.putReferenceVolatile(reference, QUEUE, noQueue);
        return reference;
    }

    /** Before ReferenceQueue.remove: how deep it is nested, 0 for a thread that is not followed. */
    static int removing() {
        long block = block();
        if (block == 0) {
            return 0;
        }
        int depth = beginRemove();
        if (depth != 1) {
            return depth;
        }
        look(block, QUEUES);
        if (holding) {
            enqueue((Reference<?>) takeRemoved());
        }
        return depth;
    }

    /** Result of ReferenceQueue.remove. */
    static Object removed(Object reference) {
        if (block() != 0) {
            if (reference != null) {
                UNSAFE.putLong(reference, STATE[kind(reference)], KNOWN_CLEARED);
            }
            recordRemoved(reference == null ? 0 : UNSAFE.getLong(reference, ID[kind(reference)]));
        }
        return reference;
    }

    /** After ReferenceQueue.remove, however it ended. */
    static void leftRemove(int depth) {
        if (depth != 0) {
            endRemove();
        }
    }

    /* ---- queues, where the order of threads is kept by edges ------------------------------------------- */

    /* What came out of a queue; as in src/jvm/refs.h. */
    private static final int POLLED = 2;
    private static final int REMOVED = 3;
    /** In place of a reference's id, when none came out. */
    private static final long NONE = 0;
    private static final long INTERRUPTED = -1;

    private static long idOf(Object reference) {
        return UNSAFE.getLong(reference, ID[kind(reference)]);
    }

    static Reference<?> recordPoll(ReferenceQueue<?> queue) {
        Reference<?> reference = queue.poll();
        long block = block();
        if (block != 0) {
            look(block, QUEUES);
            if (reference != null && idOf(reference) != NONE) {
                recordQueued(reference, POLLED);
            }
        }
        return reference;
    }

    static Reference<?> replayPoll(ReferenceQueue<?> queue) {
        long block = block();
        if (block == 0) {
            return queue.poll();
        }
        return look(block, QUEUES) ? (Reference<?>) takeQueued(beginQueued(POLLED)) : null;
    }

    static Reference<?> recordRemove(ReferenceQueue<?> queue, long timeout) throws InterruptedException {
        if (block() == 0 || timeout < 0) {
            return queue.remove(timeout);
        }
        beginRemove();
        Reference<?> reference;
        try {
            reference = queue.remove(timeout);
        } catch (InterruptedException e) {
            endRemove();
            look(block(), QUEUES);
            recordQueued(REMOVED, INTERRUPTED);
            wasInterrupted(e);
            throw e;
        }
        endRemove();
        return removedEarly(reference);
    }

    /** Also when it was called before the program began. */
    static Reference<?> removedEarly(Reference<?> reference) {
        long block = block();
        if (block != 0 && reference == null) {
            look(block, QUEUES);
            recordQueued(REMOVED, NONE);
        } else if (block != 0 && idOf(reference) != NONE) { /* one from before the program began is not its own */
            look(block, QUEUES);
            recordQueued(reference, REMOVED);
        }
        return reference;
    }

    static Reference<?> replayRemove(ReferenceQueue<?> queue, long timeout) throws InterruptedException {
        long block = block();
        if (block == 0 || timeout < 0) {
            return queue.remove(timeout);
        }
        look(block, QUEUES);
        long id = beginQueued(REMOVED);
        Reference<?> reference = (Reference<?>) takeQueued(id);
        if (id == INTERRUPTED) {
            wasInterrupted(null);
        }
        return reference;
    }

    private static void recordQueued(Object reference, int what) {
        UNSAFE.putLong(reference, STATE[kind(reference)], recordQueued(what, idOf(reference)));
    }

    private static Object takeQueued(long id) {
        Object reference = id == NONE || id == INTERRUPTED ? null : dequeued(take(id));
        foundQueued();
        return reference;
    }

    /** Does what the collector and the reference handler did. A finalizer still needs its referent. */
    private static void enqueue(Reference<?> reference) {
        if (reference == null) {
            return;
        }
        if (kind(reference) == 3) {
            UNSAFE.putReference(reference, HOLD[3], null);
        } else {
            release(reference);
        }
        enqueuePending(reference);
    }

    private static native void register(Object reference, long id);

    private static native long recordCleared(int bucket, long state);

    private static native void takeCleared(int bucket);

    private static native void recordPolled(long id);

    private static native Object takePolled();

    private static native long recordQueued(int what, long id);

    /** Its event has come: waits for its turn. */
    private static native long beginQueued(int what);

    private static native Object take(long id);

    /** What takeCleared or beginQueued began is done. */
    private static native void foundQueued();

    /** A remove ended so: {@code thrown}, or what the recording says. */
    private static native void wasInterrupted(Object thrown);

    private static native int beginRemove();

    private static native Object takeRemoved();

    private static native void recordRemoved(long id);

    private static native void endRemove();

    /* Methods of Reference itself, which subclasses may override in their own ways. */

    private static native void clear(Object reference);

    private static native void enqueuePending(Object reference);
}
