// Threads interrupt each other, and look at the flag: isInterrupted leaves it, interrupted takes it away.
// stdout: ^[0-9]+ interrupts noticed$
import java.util.concurrent.atomic.AtomicInteger;

public class ThreadInterrupts {
    static final int THREADS = 4;
    static final Thread[] CREW = new Thread[THREADS];
    static int ready;

    static synchronized void enlist(int number) throws InterruptedException {
        CREW[number] = Thread.currentThread();
        ready++;
        ThreadInterrupts.class.notifyAll();
        while (ready < THREADS) {
            ThreadInterrupts.class.wait();
        }
    }

    public static void main(String[] args) throws Exception {
        AtomicInteger noticed = new AtomicInteger();
        String seen = Crew.run(THREADS, (number, trail) -> {
            enlist(number);
            for (int i = 0; i < 2000; i++) {
                if (i % 3 == 0) {
                    CREW[(number + 1 + i % 7) % THREADS].interrupt();
                }
                boolean flag = Thread.currentThread().isInterrupted();
                boolean taken = i % 5 == 0 && Thread.interrupted();
                trail.saw(flag);
                trail.saw(taken);
                trail.saw(CREW[(number + 2) % THREADS].isInterrupted());
                if (taken) {
                    trail.saw(noticed.incrementAndGet());
                }
            }
        });
        System.out.println(noticed + " interrupts noticed");
        System.out.println("seen " + seen);
    }
}
