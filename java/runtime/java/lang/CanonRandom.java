package java.lang;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Random numbers that threads have for themselves, by which they spread over tables when they meet there. Where they meet in
 * code without order (linkage, loaders) differs from run to run, and so does whether they draw such numbers there. So a thread
 * begins with numbers of its own, whoever came first, and what it draws there does not last.
 */
public final class CanonRandom {
    private CanonRandom() {}

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long PROBE = UNSAFE.objectFieldOffset(Thread.class, "threadLocalRandomProbe");

    /** In place of what all threads draw their first number from. */
    public static int first(AtomicInteger all, int step) {
        long own = Canon.on ? CanonOrder.threadNumber() : 0;
        return own != 0 ? (int) own : all.addAndGet(step);
    }

    /** Likewise, where a thread's random numbers begin. */
    public static long first(AtomicLong all, long step) {
        long own = Canon.on ? CanonOrder.threadNumber() : 0;
        return own != 0 ? all.get() + own : all.getAndAdd(step);
    }

    /** In place of getProbe. */
    @ForceInline
    public static int probe() {
        return UNSAFE.getInt(Thread.currentThread(), PROBE);
    }

    /** In place of advanceProbe: a step of xorshift. */
    public static int advance(int probe) {
        int next = probe ^ probe << 13;
        next ^= next >>> 17;
        next ^= next << 5;
        put(UNSAFE, Thread.currentThread(), PROBE, next);
        return next;
    }

    /* In place of Unsafe's. */

    @ForceInline
    public static void put(Unsafe unsafe, Object thread, long field, int value) {
        if (lasts()) {
            unsafe.putInt(thread, field, value);
        }
    }

    @ForceInline
    public static void put(Unsafe unsafe, Object thread, long field, long value) {
        if (lasts()) {
            unsafe.putLong(thread, field, value);
        }
    }

    @ForceInline
    private static boolean lasts() {
        return !Canon.counts || CanonLane.current() != 0 || !CanonOrder.inUnordered();
    }
}
