import java.lang.reflect.Field;
import sun.misc.Unsafe;

/** Accesses of every kind to fields of every kind, elements of arrays, and what Unsafe does to fields. */
public class Ordered {
    volatile boolean z;
    volatile byte b;
    volatile char c;
    volatile short s;
    volatile int i;
    volatile long j = 1L << 33;
    volatile float f;
    volatile double d;
    volatile Object o;
    volatile int[] array = {1, 2, 3};
    int plain;
    final int constant;
    static volatile long wide = 5;
    static volatile Object shared;
    static int plainShared;

    /** A class whose fields others use. */
    static class Other {
        static double initialised = Samples.said("Other is initialised");
        static volatile int count;
        long value = 3;
        volatile Other next;
    }

    /** Inherits a volatile field, and is made by constructors that call each other. */
    static class Child extends Other {
        Child(int n) {
            this(n, n > 0 ? new Child(n - 1) : null);
            value += next == null ? 1 : next.value;
        }

        Child(int n, Other other) {
            next = other;
            try {
                value = n / (n - 1);
            } catch (ArithmeticException e) {
                next = this;
                value = -1;
            }
        }
    }

    Ordered(int n) {
        i = constant = n;
        o = this;
    }

    String all() {
        z = !z;
        b += 1;
        c++;
        s--;
        i = i * 2 + (int) (j = j + 1);
        f += 0.5f;
        d = d + f;
        o = o == this ? null : this;
        array[i & 1] += plain++ + constant;
        wide += array[0];
        shared = shared == null ? "x" : shared + "y";
        plainShared--;
        return z + " " + b + " " + (int) c + " " + s + " " + i + " " + j + " " + f + " " + d + " " + (o == this) + " "
            + array[0] + array[1] + array[2] + " " + plain + " " + wide + " " + shared + " " + plainShared;
    }

    static String arrays() {
        byte[] bytes = {1};
        boolean[] flags = new boolean[2];
        short[] shorts = {2, 3};
        char[] chars = {'a'};
        long[] longs = {1L << 40};
        float[] floats = {1.5f};
        double[][] doubles = {{2.5}, {3.5}};
        Object[] objects = {null, "o"};
        bytes[0] += 5;
        flags[1] |= bytes[0] == 6;
        shorts[0] = shorts[1]++;
        chars[0]++;
        longs[0] -= floats[0] *= 2;
        doubles[1][0] += doubles[0][0]--;
        objects[0] = objects[1];
        return bytes[0] + " " + flags[1] + " " + shorts[0] + shorts[1] + chars[0] + longs[0] + " " + floats[0] + " "
            + doubles[0][0] + doubles[1][0] + objects[0];
    }

    static String failures(Ordered none, int[] array) {
        String said = "";
        for (int n = 0; n < 4; n++) {
            try {
                switch (n) {
                case 0 -> none.i = 1;
                case 1 -> said += none.j;
                case 2 -> array[array.length]++;
                default -> array[-1] = array[0];
                }
            } catch (RuntimeException e) {
                said += e.getClass().getSimpleName() + " ";
            }
        }
        return said;
    }

    static String unsafe() throws Exception {
        Field field = Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Unsafe u = (Unsafe) field.get(null);
        Ordered t = new Ordered(4);
        long i = u.objectFieldOffset(Ordered.class.getDeclaredField("i"));
        long j = u.objectFieldOffset(Ordered.class.getDeclaredField("j"));
        long o = u.objectFieldOffset(Ordered.class.getDeclaredField("o"));
        String said = "";
        for (int n = 0; n < 3; n++)
            said += u.compareAndSwapInt(t, i, 4, n) + " " + u.compareAndSwapLong(t, j, t.j, 1L << n) + " "
                + u.compareAndSwapObject(t, o, n == 1 ? null : t, null) + " " + u.getAndAddInt(t, i, 2) + " "
                + u.getLongVolatile(t, j) + " ";
        u.putObjectVolatile(t, o, said.length());
        u.putDoubleVolatile(t, u.objectFieldOffset(Ordered.class.getDeclaredField("d")), 0.25);
        return said + t.o + t.d;
    }

    static void run() throws Exception {
        Ordered ordered = new Ordered(3);
        for (int n = 0; n < 3; n++)
            Samples.say(ordered.all());
        Samples.say(arrays());
        Samples.say(failures(null, new int[1]));
        Samples.say("now");
        Other.count += 2;
        Child child = new Child(3);
        child.next.value++;
        Samples.say(child.value + " " + child.next.value + " " + child.next.next.value + " " + Other.count);
        Samples.say(unsafe());
    }
}
