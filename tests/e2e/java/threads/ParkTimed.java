// Threads that park for a time: unparked by another, interrupted, or left alone until it is over.
// stdout: ^200 parks: [0-9]+ interrupted, [0-9]+ with a permit or in time$
import java.util.concurrent.locks.LockSupport;

public class ParkTimed {
    static volatile int given;

    public static void main(String[] args) throws Exception {
        int[] interrupted = new int[4];
        Thread[] parkers = new Thread[4];
        long[] hashes = new long[4];
        for (int i = 0; i < parkers.length; i++) {
            int number = i;
            parkers[i] = new Thread(() -> {
                for (int k = 0; k < 50; k++) {
                    if (k % 2 == 0) {
                        LockSupport.parkNanos(parkers, 1_000_000);
                    } else {
                        LockSupport.parkUntil(System.currentTimeMillis() + 2);
                    }
                    boolean flag = Thread.interrupted();
                    interrupted[number] += flag ? 1 : 0;
                    hashes[number] = hashes[number] * 31 + given * 2 + (flag ? 1 : 0);
                }
            });
        }
        for (Thread parker : parkers) {
            parker.start();
        }
        while (parkers[0].isAlive() || parkers[1].isAlive() || parkers[2].isAlive() || parkers[3].isAlive()) {
            given++; // only main writes it
            LockSupport.unpark(parkers[given % 4]);
            Thread.sleep(1);
            if (given % 3 == 0) {
                parkers[given / 3 % 4].interrupt();
            }
        }
        int sum = 0;
        for (int i = 0; i < 4; i++) {
            parkers[i].join();
            sum += interrupted[i];
            System.out.println("parker " + i + " " + Long.toHexString(hashes[i]));
        }
        System.out.println("200 parks: " + sum + " interrupted, " + (200 - sum) + " with a permit or in time");
    }
}
