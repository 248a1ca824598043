package java.lang;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/** The natives of the order engine (src/jvm/order.c), called when something is out of the ordinary. */
final class CanonOrder {
    private CanonOrder() {}

    /** For finding causes: src/jvm/optrace.h. Compiled code knows that it is false. */
    private static final boolean TRACED = traced();

    private static native boolean traced();

    static final boolean REPLAYS = replays();

    private static native boolean replays();

    private static native void trace(long lane);

    /** An operation was done. */
    @ForceInline
    static void did(long lane) {
        if (TRACED) {
            trace(lane);
        }
    }

    /** Whether words may belong to a lane alone, or to readers: the system has the fence that takes. */
    static boolean biased;

    /** How many sites there may be: src/jvm/fields.h. */
    static final int SITES = 1 << 18;

    /** What a site whose field was not known when its class was rewritten turned out to be. */
    static final byte PLAIN = 1;
    static final byte ORDERED = 2;

    /** By site: what it turned out to be. Compiled code takes it for a constant. */
    @Stable private static final byte[] KINDS = new byte[SITES];

    @ForceInline
    static boolean isPlain(Object object, int site) {
        byte kind = KINDS[site];
        return (kind == 0 ? ask(object, site) : kind) == PLAIN;
    }

    /** Once it was asked whether it is plain. */
    @ForceInline
    static boolean isOrdered(int site) {
        return KINDS[site] == ORDERED;
    }

    @DontInline
    private static byte ask(Object object, int site) {
        return KINDS[site] = resolve(object, site);
    }

    /** Recorder: the operation in work comes after all that lane {@code other} (0: any) has done. */
    static native void follow(long lane, int other, boolean settle);

    /** Recorder: a monitor is entered that lane {@code other} left last, at these low bits of its count. */
    static native void followOwner(long lane, int owner);

    /** The hash of the static field at that offset; 0 if there is none. */
    static native int staticHash(Class<?> type, long offset);

    /** Recorder, for comparison: around an operation that logs a vector clock. */
    static native void tickBegin(long lane);

    static native void tickEnd(long lane);

    /** Lets others run. */
    static native void pause();

    /** Replay: the operation that is about to begin has to wait. */
    static native void await(long lane);

    /** Replay: others wait for what was just done. */
    static native void ring(long lane);

    /** One at a time: the lane's count has come to where another one may have to run. */
    static native void turn(long lane);

    /** One at a time: lets others run, as an operation. */
    static native void giveWay();

    /** One at a time: waits for a monitor that another lane has; false: there is no use in waiting. */
    static native boolean blocked(long lane, Object lock);

    /** What the JVM decides: at replay, what it did then. */
    static native long decided(long value);

    /** A number that has to do with the current thread's name in the trace; 0: it has none. */
    static native long threadNumber();

    /** Whether the current thread has an order, but not what it does now. */
    static native boolean inUnordered();

    /** The same of a new thread's number. */
    static native long threadId(long id);

    /** Whether a thread lives; {@code end}: the lane it had, and its last operation. */
    static native boolean alive(boolean alive, long end);

    /** Whether a site's field is ordered, asked once; {@code object} is null for static fields. */
    static native byte resolve(Object object, int site);

    /** Replay: waits until the thread may initialise the class, or has not to; whether the same goes for all. */
    static native boolean initialising(Class<?> type, int number);
}
