// Threads in the queue of a lock are interrupted: some leave it, some have got the lock before.
// stdout: ^1600 attempts, [0-9]+ interrupted, order [0-9a-f]+$
import java.util.concurrent.locks.ReentrantLock;

public class LockInterruptibly {
    static final ReentrantLock LOCK = new ReentrantLock();
    static int got;
    static long order;

    public static void main(String[] args) throws Exception {
        Thread[] queue = new Thread[4];
        int[] interrupted = new int[4];
        for (int i = 0; i < queue.length; i++) {
            int number = i;
            queue[i] = new Thread(() -> {
                for (int k = 0; k < 400; k++) {
                    try {
                        LOCK.lockInterruptibly();
                        got++;
                        order = order * 31 + number;
                        if (order % 4 == 0) {
                            Thread.yield();
                        }
                        LOCK.unlock();
                    } catch (InterruptedException e) {
                        interrupted[number]++;
                    }
                }
            });
        }
        for (Thread thread : queue) {
            thread.start();
        }
        for (int i = 0; i < 1600; i++) {
            queue[i % 4].interrupt();
            if (LOCK.hasQueuedThread(queue[i % 3])) {
                Thread.yield();
            }
        }
        for (Thread thread : queue) {
            thread.join();
        }
        int gaveUp = interrupted[0] + interrupted[1] + interrupted[2] + interrupted[3];
        System.out.println(got + gaveUp + " attempts, " + gaveUp + " interrupted, order " + Long.toHexString(order));
    }
}
