package java.lang;

/** What the helper classes see of Thread when they are compiled: canon adds these fields to the real one. */
public class Thread {
    /** Address of the struct canon_block (src/jvm/threads.h) of the thread; 0 for threads without. */
    public transient long canonBlock;
    /** The object whose word the operation in work has locked (CanonRecord). */
    public transient Object canonHeld;

    public static native Thread currentThread();

    public static void onSpinWait() {}

    /** The real one has more. */
    public enum State { NEW }
}
