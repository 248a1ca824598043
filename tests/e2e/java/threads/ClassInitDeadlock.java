// Classes that need each other are initialised by two threads each: some of these wait for each other for ever.
// stdout: ^8 pairs, [0-8] stuck:
import java.util.concurrent.CountDownLatch;

public class ClassInitDeadlock {
    static final int PAIRS = 8;
    static final StringBuffer BY = new StringBuffer();

    static int note(String name) {
        BY.append(' ').append(name).append(':').append(Thread.currentThread().getName());
        Thread.yield();
        return name.length();
    }

    static class Super0 { static final int X = note("super0") + Sub0.Y; }

    static class Sub0 extends Super0 { static int Y = note("sub0"); }

    static class Super1 { static final Object SUB = new Sub1(); }

    static class Sub1 extends Super1 { } // without an initialiser of its own

    static class Super2 { static final Object SUB = Sub2.make(); }

    static class Sub2 extends Super2 {
        static Object make() {
            return note("make2");
        }
    }

    static class Left3 { static int x = note("left3") + Right3.x; }

    static class Right3 { static int x = note("right3") + Left3.x; }

    static class Left4 { static int x = note("left4") + Right4.x; }

    static class Right4 { static int x = note("right4") + Left4.x; }

    interface Left5 { int X = note("left5") + Right5.x; }

    static class Right5 { static int x = note("right5") + Left5.X; }

    enum Left6 { ONE; final Object right = Right6.ONE; }

    enum Right6 { ONE; final Object left = Left6.ONE; }

    static class Left7 { static final int X = note("left7") + Middle7.x; }

    static class Middle7 { static int x = note("middle7") + Right7.x; }

    static class Right7 { static int x = note("right7") + Left7.X; }

    static Object use(int pair, int side) throws Exception {
        return switch (pair * 2 + side) {
            case 0 -> Super0.X;
            case 1 -> Sub0.Y;
            case 2 -> Super1.SUB;
            case 3 -> new Sub1();
            case 4 -> Super2.SUB;
            case 5 -> Class.forName("ClassInitDeadlock$Sub2");
            case 6 -> Left3.x;
            case 7 -> Right3.x;
            case 8 -> Left4.x++;
            case 9 -> Right4.x++;
            case 10 -> Left5.X;
            case 11 -> Right5.x;
            case 12 -> Left6.ONE.right;
            case 13 -> Right6.ONE.left;
            case 14 -> Left7.X;
            default -> Right7.x;
        };
    }

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[2 * PAIRS];
        CountDownLatch start = new CountDownLatch(1);
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            threads[i] = new Thread(() -> {
                try {
                    start.await();
                    use(number / 2, number % 2);
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }, "t" + i);
            threads[i].setDaemon(true);
            threads[i].start();
        }
        start.countDown();
        int stuck = 0;
        StringBuilder who = new StringBuilder();
        for (int i = 0; i < threads.length; i++) {
            threads[i].join(i == 0 ? 500 : 50);
            if (threads[i].isAlive()) {
                who.append(' ').append(threads[i].getName());
                stuck++;
            }
        }
        System.out.println(PAIRS + " pairs, " + stuck / 2 + " stuck:" + who);
        System.out.println("initialised by:" + BY);
    }
}
