import java.lang.annotation.ElementType;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * Code of many shapes, for rewriting: the rewritten program must print what the original prints, end with all
 * wraps left and all locks released.
 */
public class Samples {
    @Target(ElementType.TYPE_USE)
    @interface Mark { int[] value() default {}; }

    private int field = 7;
    private volatile long wide = 1L << 40;
    private static double shared = 0.5;

    static int loopFromTheStart(int n) {
        while (true) {
            if (n-- <= 0)
                return n;
        }
    }

    static String switches(int n, String s) {
        String r;
        switch (n) {
        case 1: r = "one"; break;
        case 2: case 3: r = "few"; break;
        case 1000: r = "many"; break;
        default: r = "other";
        }
        switch (s) {
        case "a": return r + "A";
        case "b": r += "B";
        default: return r + "?";
        }
    }

    static int tries(int[] a, int i) {
        int x = 0;
        try {
            x = a[i];
            return 10 / x;
        } catch (ArithmeticException e) {
            x += 100;
            return x;
        } catch (@Mark({1, 2}) ArrayIndexOutOfBoundsException e) {
            x += 200;
        } finally {
            x += 1000;
            shared += x;
        }
        return x;
    }

    static int returnsInsideTry(String s) {
        try {
            return s.length();
        } catch (NullPointerException e) {
            return -1;
        }
    }

    synchronized int locked(int n) {
        field += n;
        if (n > 3)
            throw new IllegalStateException("n = " + n);
        return field;
    }

    static synchronized long lockedStatic(long a, Object o, double d) {
        for (int i = 0; i < 3; i++)
            a += i * (long) d;
        return o == null ? a : -a;
    }

    synchronized void overwritesThis(Samples other) {
        synchronized (other) {
            synchronized (this) {
                wide++;
                other.field++;
            }
        }
    }

    static long manyLocals(byte b, long l, float f, double d, char[] c, String s, boolean z) {
        long sum = b + l;
        for (char x : c) {
            int y = x * 2;
            if (z) {
                double q = d * y;
                sum += (long) q;
            } else {
                float g = f;
                List<@Mark String> list = new ArrayList<@Mark String>();
                list.add(s);
                sum += list.get(0).length() + (long) g;
            }
        }
        return sum;
    }

    static class Point {
        final int x, y;
        Point(int x, int y) {
            this.x = x;
            this.y = y;
        }
        Point(boolean b) {
            this(b ? 1 : 2, b ? new Point(3, 4).x : 5);
        }
        @Override public String toString() { return x + "," + y; }
    }

    class Inner extends Point {
        final long captured;
        Inner(long c) {
            super(c > 0 ? (int) c : -1, field);
            captured = wide + c;
        }
    }

    static int throwsFromLock(Object lock, int n) {
        synchronized (lock) {
            if (n == 0)
                throw new RuntimeException("from lock");
            for (int i = 0; i < n; i++)
                if (i == 5)
                    return i;
            return -n;
        }
    }

    static int recursion(int n) { return n == 0 ? 0 : 1 + recursion(n - 1); }

    static int outOfStack(int n) {
        synchronized (Samples.class) {
            return outOfStack(n + 1);
        }
    }

    interface Shape {
        default String name() { return getClass().getSimpleName() + ":" + area(); }
        static Shape square(int n) { return () -> n * n; }
        int area();
    }

    static Object cast(Object o) {
        if (o instanceof @Mark String)
            return ((@Mark(3) String) o).length();
        return o;
    }

    static String methodReferences() {
        java.util.Map<Object, Object> map = new java.util.HashMap<>();
        java.util.function.BiFunction<Object, Object, Object> put = map::put;
        java.util.function.ToIntFunction<String> hash = String::hashCode;
        java.util.function.LongSupplier time = System::nanoTime;
        put.apply("a", 1);
        return put.apply("a", 2) + " " + hash.applyAsInt("xyz") + " " + (time.getAsLong() != 0);
    }

    static String attempt(IntSupplier s) {
        try {
            return "" + s.getAsInt();
        } catch (RuntimeException e) {
            return e.getClass().getSimpleName() + " " + e.getMessage();
        }
    }

    static void say(Object o) { System.out.println(o); }

    static double said(Object o) {
        say(o);
        return 0.5;
    }

    public static void main(String[] args) throws Exception {
        say(loopFromTheStart(5));
        for (int i : new int[] {0, 1, 2, 3, 1000})
            say(switches(i, i % 2 == 0 ? "a" : i == 1 ? "b" : "c"));
        int[] a = {5, 0, 2};
        for (int i = 0; i < 4; i++)
            say(tries(a, i));
        say(shared);
        say(returnsInsideTry("four") + " " + returnsInsideTry(null));
        Samples s = new Samples();
        for (int i = 1; i < 6; i++) {
            int n = i;
            say(attempt(() -> s.locked(n)));
        }
        say(lockedStatic(1L << 33, null, 2.5) + " " + lockedStatic(1, s, 9));
        s.overwritesThis(new Samples());
        say(s.wide);
        say(manyLocals((byte) 1, 2L, 3f, 4.0, "abc".toCharArray(), "text", true));
        say(manyLocals((byte) 1, 2L, 3f, 4.0, "abc".toCharArray(), "text", false));
        say(new Point(true) + " " + new Point(false) + " " + s.new Inner(3) + " " + s.new Inner(-3).captured);
        for (int i : new int[] {0, 3, 9}) {
            int n = i;
            say(attempt(() -> throwsFromLock(s, n)));
        }
        say(methodReferences());
        say(recursion(100));
        say(Shape.square(7).area());
        say(cast("abc") + " " + cast(1.5));
        say(Thread.holdsLock(s) + " " + Thread.holdsLock(Samples.class));
        Big.main(args);
        Ordered.run();
        try {
            Class.forName("Early").getMethod("run").invoke(null);
        } catch (ClassNotFoundException e) {
            // An older JDK.
        }
        checkHelper();
        try {
            outOfStack(0);
        } catch (StackOverflowError e) {
            say("out of stack, lock held: " + Thread.holdsLock(Samples.class));
        }
    }

    /** Nothing to be said about the original. Only main itself is still inside a wrap. */
    static void checkHelper() throws Exception {
        try {
            Class<?> c = Class.forName("java.lang.CanonTest");
            long depth = c.getField("depth").getLong(null), locks = c.getField("locks").getLong(null);
            long pending = c.getField("pending").getLong(null), sites = c.getField("sites").getLong(null);
            Object error = c.getField("error").get(null);
            // In heavily rewritten classes these two methods are wraps that are still open.
            if (depth != 0 && depth != 2 || locks != 0 || error != null)
                say("bad: depth " + depth + " locks " + locks + " error " + error);
            if (pending != 0 || sites != 0)
                say("bad: " + pending + " accesses were not done, their sites " + sites);
        } catch (ClassNotFoundException e) {
            return;
        }
    }
}
