// A wait gives back a monitor that was entered three times, keeps another one, and has the three back afterwards.
// stdout: ^1200 turns, 3 deep, order [0-9a-f]+$
public class WaitWhileNested {
    static final Object OUTER = new Object();
    static int turn;
    static int depth;
    static long order;

    static void take(int number, int level) throws InterruptedException {
        synchronized (OUTER) {
            if (level < 3) {
                take(number, level + 1);
                return;
            }
            while (turn % 2 != number % 2) {
                OUTER.wait(50);
            }
            turn++;
            depth = level;
            order = order * 31 + number;
            OUTER.notifyAll();
        }
    }

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(4, (number, trail) -> {
            Object own = new Object();
            for (int i = 0; i < 300; i++) {
                synchronized (own) {
                    take(number, 1);
                    trail.saw(Thread.holdsLock(own));
                    trail.saw(Thread.holdsLock(OUTER));
                }
            }
        });
        System.out.println(turn + " turns, " + depth + " deep, order " + Long.toHexString(order));
        System.out.println("seen " + seen);
    }
}
