// Waits on a condition with time-outs and deadlines, and one that interrupts cannot end.
// stdout: ^150 timed waits: [0-9]+ in time, [0-9]+ interrupted$
import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class ConditionsTimed {
    static final ReentrantLock LOCK = new ReentrantLock();
    static final Condition CHANGED = LOCK.newCondition();
    static int inTime;
    static int interrupted;
    static long order;

    static void waitTimed(int number, int i) {
        LOCK.lock();
        try {
            boolean signalled = switch (i % 3) {
                case 0 -> CHANGED.await(1, TimeUnit.MILLISECONDS);
                case 1 -> CHANGED.awaitNanos(500_000) > 0;
                default -> CHANGED.awaitUntil(new Date(System.currentTimeMillis() + 2));
            };
            inTime += signalled ? 1 : 0;
            order = order * 31 + number * 2 + (signalled ? 1 : 0);
        } catch (InterruptedException e) {
            interrupted++;
            order = order * 37 - number;
        } finally {
            LOCK.unlock();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread[] waiters = new Thread[3];
        for (int i = 0; i < waiters.length; i++) {
            int number = i;
            waiters[i] = new Thread(() -> {
                for (int k = 0; k < 50; k++) {
                    waitTimed(number, k);
                }
                LOCK.lock();
                CHANGED.awaitUninterruptibly();
                LOCK.unlock();
            });
            waiters[i].start();
        }
        for (int i = 0; waiters[0].isAlive() || waiters[1].isAlive() || waiters[2].isAlive(); i++) {
            waiters[i % 3].interrupt();
            Thread.sleep(0, 400_000);
            LOCK.lock();
            CHANGED.signalAll();
            LOCK.unlock();
        }
        System.out.println("150 timed waits: " + inTime + " in time, " + interrupted + " interrupted");
        System.out.println("order " + Long.toHexString(order));
    }
}
