// A token that anyone may take: a taker waits while it is out, one who brings it back wakes one of the waiters.
// stdout: ^4000 times taken, order [0-9a-f]+$
public class WaitNotify {
    static final Object LOCK = new Object();
    static boolean out;
    static int taken;
    static long order;

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 1000; i++) {
                int waits = 0;
                synchronized (LOCK) {
                    while (out) {
                        waits++;
                        LOCK.wait();
                    }
                    out = true;
                    taken++;
                    order = order * 31 + number;
                }
                trail.saw(waits);
                if (i % (7 + number) == 0) {
                    Thread.yield(); // others come, and have to wait
                }
                synchronized (LOCK) {
                    out = false;
                    LOCK.notify();
                }
            }
        });
        System.out.println(taken + " times taken, order " + Long.toHexString(order));
        System.out.println("seen " + seen);
    }
}
