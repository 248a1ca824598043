// Everyone waits for its turn in a round; whoever is last wakes all, and the order of waking decides the next.
// stdout: ^300 rounds, order [0-9a-f]+$
public class WaitNotifyAll {
    static final int THREADS = 5;
    static final Object LOCK = new Object();
    static int arrived;
    static int round;
    static long order;

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(THREADS, (number, trail) -> {
            for (int i = 0; i < 300; i++) {
                synchronized (LOCK) {
                    trail.saw(arrived);
                    if (++arrived == THREADS) {
                        arrived = 0;
                        round++;
                        LOCK.notifyAll();
                    } else {
                        while (round == i) {
                            LOCK.wait();
                        }
                    }
                    order = order * 31 + number;
                }
            }
        });
        System.out.println(round + " rounds, order " + Long.toHexString(order));
        System.out.println("seen " + seen);
    }
}
