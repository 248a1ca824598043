// Waiters that are notified and interrupted at about the same time: which of the two each one notices first.
// stdout: ^600 woken: [0-9]+ interrupted, [0-9]+ notified$
public class WaitInterrupted {
    static final Object LOCK = new Object();
    static int posted;
    static int interrupted;
    static int notified;
    static long order;

    static void waiter(int number) {
        for (int i = 0; i < 200; i++) {
            synchronized (LOCK) {
                try {
                    while (posted == 0) {
                        LOCK.wait();
                    }
                    posted--;
                    notified++;
                    order = order * 31 + number;
                } catch (InterruptedException e) {
                    interrupted++;
                    order = order * 37 - number;
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread[] waiters = new Thread[3];
        for (int i = 0; i < waiters.length; i++) {
            int number = i;
            waiters[i] = new Thread(() -> waiter(number));
            waiters[i].start();
        }
        for (int i = 0; waiters[0].isAlive() || waiters[1].isAlive() || waiters[2].isAlive(); i++) {
            waiters[i % 3].interrupt();
            synchronized (LOCK) {
                posted = Math.min(posted + 1, 3);
                LOCK.notify();
            }
            Thread.yield();
        }
        System.out.println(interrupted + notified + " woken: " + interrupted + " interrupted, "
                + notified + " notified");
        System.out.println("order " + Long.toHexString(order));
    }
}
