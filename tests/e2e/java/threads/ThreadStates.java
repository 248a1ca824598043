// What getState and isAlive say of threads that block, wait, sleep and end while they are looked at.
// stdout: ^states TERMINATED.*NEW, order [0-9a-f]+$
import java.util.Map;
import java.util.TreeMap;

public class ThreadStates {
    static final Object LOCK = new Object();
    static long order; // in which they had the lock: states are the JVM's, and replay in any order of threads

    static void live(int number) {
        try {
            for (int i = 0; i < 40; i++) {
                synchronized (LOCK) {
                    order = order * 31 + number;
                    if (i % 8 == number) {
                        LOCK.wait(1);
                    } else if (i % 8 == number + 4) {
                        Thread.sleep(0, 200_000);
                    }
                }
                Thread.yield();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            threads[i] = new Thread(() -> live(number));
        }
        Map<String, Integer> transitions = new TreeMap<>();
        String before = "";
        for (int looks = 0; looks < 20_000 && !before.equals("TE-TE-TE-TE-"); looks++) {
            StringBuilder now = new StringBuilder();
            for (Thread thread : threads) {
                now.append(thread.getState().name(), 0, 2).append(thread.isAlive() ? '+' : '-');
            }
            if (!before.contentEquals(now)) {
                transitions.merge(before + ">" + now, 1, Integer::sum);
                before = now.toString();
            }
            if (looks % 4 == 0 && looks < 16) {
                threads[looks / 4].start();
            }
            Thread.yield();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(transitions);
        System.out.println("states " + threads[0].getState() + " " + threads[1].isAlive() + " "
                + new Thread().getState() + ", order " + Long.toHexString(order));
    }
}
