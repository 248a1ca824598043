package java.lang;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;

/**
 * The part of canon that lives in Java, defined into java.lang before any other code runs: what must be
 * fast enough to be compiled, or cannot be done from C without racing the collector. Public because calls of
 * it are put into classes of any package.
 */
public final class Canon {
    private Canon() {}

    /** A class's fields without those that canon has put into it. */
    public static Object visibleFields(Object found) {
        Field[] fields = (Field[]) found;
        int kept = 0;
        for (Field field : fields) {
            kept += isOurs(field) ? 0 : 1;
        }
        if (kept == fields.length) {
            return fields;
        }
        Field[] visible = new Field[kept];
        kept = 0;
        for (Field field : fields) {
            if (!isOurs(field)) {
                visible[kept++] = field;
            }
        }
        return visible;
    }

    private static boolean isOurs(Field field) {
        return field.isSynthetic() && field.getName().startsWith("canon");
    }

    /** Whether the program has started: before that, the JVM is not ready to find natives. */
    static boolean on;

    /**
     * Whether operations are counted: the program has, or may get, a second thread (src/jvm/order.c). Until then its
     * order is that of its code.
     */
    static boolean counts;

    /** In place of the clock where it is nobody's business. */
    public static long noTime() {
        return 0;
    }

    /** A load or a static initialiser that leaveLoad has to hear of. */
    private static final Object ENTERED = new Object();

    /** Called at the start of every loadClass(String); what it returns goes to the next three. */
    public static Object enterLoad(Object loader, Object name) {
        if (!on || (loader != null && !(loader instanceof ClassLoader))) {
            return null;
        }
        Object answer = enterLoad0(loader, name);
        return answer == null ? ENTERED : answer;
    }

    /** Called where an entry of a class path is opened, by whoever is the first to look for something in there. */
    public static Object enterOpen(Object url) {
        return enterLoad(null, String.valueOf(url));
    }

    /** Keeps the loader from loading where the answer is known. */
    public static void loading(Object answer) throws Throwable {
        if (answer instanceof Class) {
            throw new Throwable(null, null, false, false);
        }
    }

    /** What loadClass returns when that, or an exception, has left it. */
    public static Object notLoaded(Throwable thrown, Object answer) throws Throwable {
        if (answer instanceof Class) {
            return answer;
        }
        throw thrown;
    }

    /** Result of ClassLoader.getClassLoadingLock: the JVM takes some for parallel capable that are not. */
    public static Object loadingLock(Object lock, Object loader) {
        return ((ClassLoader) loader).canonSerial ? loader : lock;
    }

    /** Called at the start of every static initialiser. */
    public static Object enterInit(String className) {
        if (!on) {
            return null;
        }
        enterInit0(className);
        return ENTERED;
    }

    private static native void enterInit0(String className);

    /** Called when one of them ends, also by an exception. */
    public static void leaveLoad(Object entered) {
        if (entered == ENTERED) {
            leaveLoad0();
        }
    }

    private static native Object enterLoad0(Object loader, Object name);

    private static native void leaveLoad0();

    /** A class loader was made. */
    public static void loaderMade(Object loader) {
        if (on) {
            loaderMade0(loader);
        }
    }

    private static native void loaderMade0(Object loader);

    /** Around work of the JVM's own; what it returns goes to leaveQuiet. */
    public static long enterQuiet() {
        return on ? CanonReferences.enterQuiet() : 0;
    }

    public static void leaveQuiet(long block) {
        if (block != 0) {
            CanonReferences.leaveQuiet(block);
        }
    }

    /** Around work whose locks are nobody's order; what it returns goes to leaveUnordered. */
    public static long enterUnordered() {
        return on ? CanonLane.suspend() : 0;
    }

    public static void leaveUnordered(long lane) {
        if (lane != 0) {
            CanonLane.resume(lane);
        }
    }

    /** A finalizer, a handler of signals or a shutdown hook may run from now on, beside the program's only thread. */
    public static void sharing() {
        counts |= on;
    }

    /** Result of Thread.isAlive(). */
    public static boolean alive(boolean alive, Object thread) {
        return on ? CanonOrder.alive(alive, CanonLane.endOf(thread)) : alive;
    }

    /** Result of Thread.isInterrupted(): the JVM takes the mark away when it likes, from threads that wait. */
    public static boolean interrupted(boolean interrupted, Object thread) {
        return on && thread != Thread.currentThread() ? CanonOrder.decided(interrupted ? 1 : 0) != 0 : interrupted;
    }

    /** In place of VM.toThreadState. */
    public static Thread.State threadState(int status) {
        return jdk.internal.misc.VM.toThreadState(on ? (int) CanonOrder.decided(status) : status);
    }

    /** The JVM takes numbers for threads of its own, too. */
    public static long threadId(long id) {
        return on ? CanonOrder.threadId(id) : id;
    }

    /** A virtual thread is about to be started. */
    public static void startingVirtual() {
        if (on) {
            startingVirtual0();
        }
    }

    private static native void startingVirtual0();

    /** Called in place of ProcessPipeInputStream.processExited. */
    public static native void childExited(Object stream);

    /** The reaper is done with the end of a child. */
    public static native void childEnded(Object task);

    /** Called in place of ProcessPipeOutputStream.processExited. */
    public static native void childInputExited(Object stream);

    /** The JVM dispatches a signal: its handler is started next. */
    public static void dispatching(int signal) {
        if (on) {
            dispatching0(signal);
        }
    }

    private static native void dispatching0(int signal);

    /* References: gates that wait for the program to start; see CanonReferences. */

    public static void created(Object reference, Object referent) {
        if (on) {
            CanonReferences.created(reference, referent);
        }
    }

    public static void clearing(Object reference) {
        if (on) {
            CanonReferences.clearing(reference);
        }
    }

    public static Object got(Object value, Object reference) {
        return on ? CanonReferences.got(value, reference) : value;
    }

    public static boolean refers(boolean result, Object reference, Object to) {
        return on && to == null ? CanonReferences.isCleared(result, reference) : result;
    }

    public static void polling() {
        if (on) {
            CanonReferences.polling();
        }
    }

    public static Object polled(Object reference) {
        return on ? CanonReferences.polled(reference) : reference;
    }

    /* In place of calls of ReferenceQueue's methods, where the order of threads is kept by edges. */

    public static Reference<?> recordPoll(ReferenceQueue<?> queue) {
        return on ? CanonReferences.recordPoll(queue) : queue.poll();
    }

    public static Reference<?> replayPoll(ReferenceQueue<?> queue) {
        return on ? CanonReferences.replayPoll(queue) : queue.poll();
    }

    public static Reference<?> recordRemove(ReferenceQueue<?> queue) throws InterruptedException {
        return recordRemove(queue, 0);
    }

    public static Reference<?> replayRemove(ReferenceQueue<?> queue) throws InterruptedException {
        return replayRemove(queue, 0);
    }

    public static Reference<?> recordRemove(ReferenceQueue<?> queue, long timeout) throws InterruptedException {
        if (on) {
            return CanonReferences.recordRemove(queue, timeout);
        }
        Reference<?> reference = queue.remove(timeout);
        return on ? CanonReferences.removedEarly(reference) : reference;
    }

    public static Reference<?> replayRemove(ReferenceQueue<?> queue, long timeout) throws InterruptedException {
        while (!on && Thread.currentThread().canonBlock != 0) {
            Unsafe.getUnsafe().park(false, 1_000_000);
        }
        return on ? CanonReferences.replayRemove(queue, timeout) : queue.remove(timeout);
    }

    public static int removing() {
        return on ? CanonReferences.removing() : 0;
    }

    public static Object removed(Object reference) {
        return on ? CanonReferences.removed(reference) : reference;
    }

    public static void leftRemove(int depth) {
        if (depth != 0) {
            CanonReferences.leftRemove(depth);
        }
    }
}
