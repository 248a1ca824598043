// Who asks first for the hash code of an object that threads lock at the same time.
// stdout: ^true true
import java.util.concurrent.CyclicBarrier;

public class HashOfContended {
    static final int THREADS = 3;
    static final int OBJECTS = 400;
    static final Object[] OBJECT = new Object[OBJECTS];
    static final int[][] ORDER = new int[OBJECTS][THREADS];
    static final int[] COME = new int[OBJECTS];

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < OBJECTS; i++) {
            OBJECT[i] = new Object();
        }
        CyclicBarrier barrier = new CyclicBarrier(THREADS);
        int[] sums = new int[THREADS];
        Thread[] threads = new Thread[THREADS];
        for (int k = 0; k < THREADS; k++) {
            int me = k;
            threads[k] = new Thread(() -> {
                for (int i = 0; i < OBJECTS; i++) {
                    if (i % 20 == 0) {
                        meet(barrier);
                    }
                    synchronized (OBJECT[i]) {
                        ORDER[i][COME[i]++] = me;
                        work(me * 50 + i % 7 * 100);
                    }
                    sums[me] = sums[me] * 31 + System.identityHashCode(OBJECT[i]);
                }
            });
            threads[k].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        int order = 0;
        for (int[] come : ORDER) {
            for (int who : come) {
                order = order * 31 + who;
            }
        }
        System.out.println(sums[0] + " " + sums[1] + " " + sums[2]);
        System.out.println((sums[0] == sums[1]) + " " + (sums[1] == sums[2]) + " " + order);
    }

    static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static volatile int sink;

    static void work(int rounds) {
        int x = rounds;
        for (int i = 0; i < rounds; i++) {
            x = x * 31 + i;
        }
        sink = x;
    }
}
