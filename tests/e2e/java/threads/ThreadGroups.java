// Groups whose threads come and go while they are counted, enumerated and interrupted.
// stdout: ^all 60 interrupted, counts [0-9a-f]+$
import java.util.concurrent.atomic.AtomicInteger;

public class ThreadGroups {
    static final AtomicInteger INTERRUPTED = new AtomicInteger();

    static void sleepUntilInterrupted() {
        try {
            Thread.sleep(60_000);
        } catch (InterruptedException e) {
            INTERRUPTED.incrementAndGet();
        }
    }

    public static void main(String[] args) throws Exception {
        ThreadGroup outer = new ThreadGroup("outer");
        ThreadGroup inner = new ThreadGroup(outer, "inner");
        String counts = Crew.run(3, (number, trail) -> {
            for (int i = 0; i < 20; i++) {
                ThreadGroup group = i % 2 == 0 ? outer : inner;
                Thread sleeper = new Thread(group, ThreadGroups::sleepUntilInterrupted, "sleeper-" + number + "-" + i);
                sleeper.start();
                trail.saw(outer.activeCount());
                trail.saw(INTERRUPTED.get());
                if (i % 3 == number) {
                    inner.interrupt();
                }
                Thread[] members = new Thread[80];
                for (int k = inner.enumerate(members) - 1; k >= 0; k--) {
                    trail.saw(members[k].getName());
                }
                if (i % 4 == 3) {
                    sleeper.interrupt();
                    sleeper.join();
                }
            }
        });
        while (outer.activeCount() > 0) {
            outer.interrupt();
            Thread.sleep(1);
        }
        System.out.println("all " + INTERRUPTED + " interrupted, counts " + counts);
        System.out.println(inner.getParent().getName() + " " + outer.parentOf(inner));
    }
}
