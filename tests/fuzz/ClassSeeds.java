import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.function.Supplier;

/** Class files for fuzz_classfile to start from: small ones that have every kind of attribute. */
@ClassSeeds.Marked(number = 1, names = {"a", "b"})
public class ClassSeeds {
    @Retention(RetentionPolicy.RUNTIME)
    @interface Marked {
        int number();
        String[] names() default {};
    }

    enum Note { DO, RE, MI }

    record Pair<A, B extends Comparable<B>>(A first, B second) {}

    interface Voice {
        int tone(int t);
        default int sing(int t) { return tone(t) + 1; }
    }

    static volatile int shared;
    final long[] values = {1L, 2L};

    static class Jumps {
        int branch(int n, Note note) {
            switch (n) { case 1: case 2: case 3: return n; case 1000: return -1; default: break; }
            for (int i = 0; i < n; i++) if (i % 3 == 0 && n > 7 || i == 5) continue; else n--;
            return switch (note) { case DO -> 1; case RE -> 2; default -> n; };
        }
    }

    static class Handlers {
        synchronized double risky(Object lock, double d) {
            try {
                synchronized (lock) { shared++; return d / shared; }
            } catch (IllegalStateException | ArithmeticException e) {
                throw new RuntimeException("no", e);
            } finally {
                shared--;
            }
        }
    }

    static class Dynamic implements Voice {
        public int tone(int t) { return t; }
        Supplier<String> lambda(@Marked(number = 2) String text, long wide) { return () -> text + wide + 'x'; }
        Object arrays(int n) { return new Object[][] {{new int[n][2], List.of(n), (Voice) t -> t}}; }
    }

    static class Ordered extends Jumps {
        volatile long wide;
        volatile Object reference;

        Ordered(int n) {
            this(n > 0 ? new Ordered(0, null) : null, new Object());
            wide = n > 1 ? 1 : shared;
        }

        Ordered(int n, Object o) { this(null, o); }

        Ordered(Ordered other, Object o) {
            super();
            (other == null ? this : other).reference = o;
        }

        boolean swap(Object o, long at, Object from, double to) { return o == from; }

        long use(Ordered other, long[] values, Object[] objects, int n) {
            while (n-- > 0 && other.swap(this, wide, reference, n))
                values[n] += other.wide++;
            objects[0] = reference;
            return wide;
        }
    }
}
