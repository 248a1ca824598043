// Waits with a time-out, in milliseconds and nanoseconds: notified in time, or not.
// stdout: ^[0-9]+ of 180 waits ended without news$
public class WaitTimed {
    static final Object LOCK = new Object();
    static int news;
    static int inVain;
    static long order;

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 60; i++) {
                synchronized (LOCK) {
                    int before = news;
                    if (number == 0) {
                        news++;
                        LOCK.notify();
                    } else if (i % 2 == 0) {
                        LOCK.wait(2);
                    } else {
                        LOCK.wait(0, 300_000);
                    }
                    if (number > 0 && news == before) {
                        inVain++;
                    }
                    order = order * 31 + number * 1000 + news;
                    trail.saw(news - before);
                }
                if (number == 0) {
                    Thread.sleep(1, 500_000);
                }
            }
        });
        System.out.println(inVain + " of 180 waits ended without news");
        System.out.println("order " + Long.toHexString(order) + ", seen " + seen);
    }
}
