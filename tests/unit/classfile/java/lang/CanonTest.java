package java.lang;

/**
 * The helper that heavily rewritten classes call (heavy.c, classfile_tool.c). It is called from the first
 * bytecode on that the JVM runs, so it must do next to nothing until LinkAll says that the JVM is up.
 */
public final class CanonTest {
    public static volatile boolean checking;
    public static volatile String error;
    public static long calls;
    /** Wraps entered and not left, locks taken and not released: right when one thread runs it all. */
    public static long depth, locks;

    private static final long TOKEN = 0x1234567890ABCDEFL;

    private static void check(boolean ok, String what) {
        if (!ok)
            error = what;
    }

    private static void checkLock(Object o) {
        if (checking)
            check(Thread.holdsLock(o), "lock is not held");
    }

    public static long enter(String name) { calls++; depth++; return TOKEN; }
    public static void exit(long token) { depth--; check(token == TOKEN, "the token got lost"); }
    public static void before(Object o) { calls++; }
    public static void held(Object o) { locks++; checkLock(o); }
    public static void release(Object o) { locks--; checkLock(o); }
    public static void after(Object o) { calls++; }
    public static void read(Object o) { calls++; }
    public static void write(Object o) { calls++; }

    // What the table of rules calls.
    public static long nanoTime() { return System.nanoTime(); }
    public static long millis() { return System.currentTimeMillis(); }
    public static int hash(Object o) { return o.hashCode(); }
    public static Object mapPut(java.util.Map<Object, Object> m, Object k, Object v) { return m.put(k, v); }
    public static void enter() { calls++; }
    public static void exit() { calls++; }
    public static void exit(long token, Object self) { exit(token); }
    public static Object enter(String name, Object self, Object argument) { return argument; }
    public static void exit(Object token, Object argument) { check(token == argument, "argument lost"); }
    public static Object same(Object o) { return o; }
    public static int same(int i) { return i; }
}
