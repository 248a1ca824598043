// Daemon threads go on until the JVM ends under them; main ends when it has seen enough of them.
// stdout: ^main has seen [0-9]+, hash [0-9a-f]+$
// stdout: ^hook has seen [0-9]+, later than main$
import java.util.concurrent.atomic.AtomicInteger;

public class DaemonsAtExit {
    static final AtomicInteger STEPS = new AtomicInteger();
    static final Object LOCK = new Object();

    static void work(int number) {
        while (true) {
            synchronized (LOCK) {
                STEPS.addAndGet(number);
            }
            Thread.yield();
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 1; i <= 4; i++) {
            int number = i;
            Thread daemon = new Thread(() -> work(number), "daemon-" + i);
            daemon.setDaemon(true);
            daemon.start();
        }
        long hash = 0;
        for (int i = 0; i < 500 || STEPS.get() < 1000; i++) {
            synchronized (LOCK) {
                hash = hash * 31 + STEPS.get();
            }
            Thread.yield();
        }
        int last = STEPS.get();
        System.out.println("main has seen " + last + ", hash " + Long.toHexString(hash));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            int now = STEPS.get();
            System.out.println("hook has seen " + now + (now >= last ? ", later than main" : ", less than main"));
        }));
    }
}
