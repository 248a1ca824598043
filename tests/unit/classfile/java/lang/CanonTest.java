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
    /** Accesses begun and not done, and the sum of their sites: likewise. */
    public static long pending, sites;

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
    public static void reading(Object o) { calls++; }
    public static void writing(Object o) { calls++; }

    /** An access that is going to throw is never done. */
    private static void begin(boolean throwing, int site) {
        calls++;
        if (throwing)
            return;
        pending++;
        sites += site;
    }

    public static void read(Object o) { begin(o == null, 0); }
    public static void write(Object o) { begin(o == null, 0); }
    public static void done() { pending--; }
    public static void read(Object o, int site) { begin(o == null, site); }
    public static void write(Object o, int site) { begin(o == null, site); }
    public static void done(int site) { pending--; sites -= site; }
    public static void readStatic(int hash) { check(hash >= 0, "negative hash"); begin(false, 0); }
    public static void writeStatic(int hash) { readStatic(hash); }
    public static void readStatic(int hash, int site) { check(hash >= 0, "negative hash"); begin(false, site); }
    public static void writeStatic(int hash, int site) { readStatic(hash, site); }
    public static void readArray(Object array, int index) { begin(!isIn(array, index), 0); }
    public static void writeArray(Object array, int index) { begin(!isIn(array, index), 0); }
    public static void initialising(Class<?> type, int length) {
        if (checking)
            check(type.getName().length() == length, "another class");
    }
    public static void before(Object o, long offset) { begin(false, 0); }
    public static void behind() { pending--; }

    private static boolean isIn(Object array, int index) {
        return array != null && index >= 0 && index < java.lang.reflect.Array.getLength(array);
    }

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
    public static Object enterLoad(Object loader, Object name) { calls++; return name; }
    public static void loading(Object token) throws Throwable {
        if (token instanceof Class)
            throw new Throwable(null, null, false, false);
    }
    public static void leaveLoad(Object token) { calls++; }
    public static Object notLoaded(Throwable thrown, Object token) throws Throwable {
        if (token instanceof Class)
            return token;
        throw thrown;
    }
    public static void created(Object reference, Object referent) { calls++; }
    public static Object got(Object referent, Object reference) { return referent; }
    public static Object same(Object o) { return o; }
    public static int same(int i) { return i; }
}
