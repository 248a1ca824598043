// Several threads are the first to use a class: one runs its initialiser, the others wait; each class once.
// stdout: ^12 initialised by: 
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

public class RacingClassInit {
    static final AtomicInteger INITIALISED = new AtomicInteger();
    static final StringBuffer BY = new StringBuffer();

    static int initialise(String name) {
        Thread.yield();
        BY.append(' ').append(name).append(':').append(Thread.currentThread().getName());
        return INITIALISED.incrementAndGet();
    }

    static class Base {
        static final int NUMBER = initialise("base");
    }

    static class A extends Base { static final int NUMBER = initialise("a"); }

    static class B extends Base { static final int NUMBER = initialise("b"); }

    static class C extends A { static final int NUMBER = initialise("c"); }

    static class D { static final int NUMBER = initialise("d") + B.NUMBER * 100; }

    static class E { static volatile int number = initialise("e"); }

    static class F { static final int NUMBER = initialise("f"); }

    interface G { int NUMBER = initialise("g"); }

    static class H { static final int NUMBER = initialise("h") + G.NUMBER * 100; }

    static class I { static final int NUMBER = initialise("i"); }

    enum J { ONE; final int number = initialise("j"); }

    record K(int x) { static final int NUMBER = initialise("k"); }

    static int use(int which) {
        return switch (which) {
            case 0 -> C.NUMBER;
            case 1 -> D.NUMBER;
            case 2 -> E.number = E.number + 1;
            case 3 -> new F().getClass().getSimpleName().length() + F.NUMBER;
            case 4 -> H.NUMBER;
            case 5 -> I.NUMBER;
            case 6 -> J.ONE.number;
            default -> new K(1).x() + K.NUMBER;
        };
    }

    public static void main(String[] args) throws Exception {
        int[][] found = new int[5][8];
        Crew.run(5, (number, trail) -> {
            for (int i = 0; i < 8; i++) {
                int which = (i * (number % 2 * 2 + 1) + number) % 8;
                found[number][which] = use(which);
            }
        });
        System.out.println(INITIALISED + " initialised by: " + BY);
        for (int[] one : found) {
            System.out.println(Arrays.toString(one));
        }
    }
}
