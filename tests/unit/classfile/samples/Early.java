/** Needs JDK 25: constructors that write volatile fields before they call another one. */
public class Early {
    static class Base {
        volatile int base;
        Base(int n) { base = seen(n); }
        int seen(int n) { return n; }
    }

    static class Derived extends Base {
        volatile int own;
        volatile long wide;

        Derived(int n) {
            if (n > 1)
                own = n;
            else
                own = new Base(n).base - 1;
            wide = 1L << n;
            super(n > 2 ? new Base(7).base : n);
            own++;
            wide += base;
        }

        @Override int seen(int n) { return own * 100 + n; }
    }

    public static void run() {
        for (int n = 0; n < 5; n++) {
            Derived d = new Derived(n);
            Samples.say(d.base + " " + d.own + " " + d.wide);
        }
    }
}
