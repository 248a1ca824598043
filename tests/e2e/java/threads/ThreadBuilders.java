// Threads of the builders and factories that came with JDK 21, and joins that take a duration.
// only: 25
// stdout: ^120 built, order [0-9a-f]+$
import java.time.Duration;
import java.util.concurrent.ThreadFactory;

public class ThreadBuilders {
    static int built;
    static long order;

    static synchronized void note() {
        built++;
        order = order * 31 + Thread.currentThread().getName().hashCode() + Thread.currentThread().threadId();
    }

    public static void main(String[] args) throws Exception {
        ThreadFactory common = Thread.ofPlatform().name("common-", 0).daemon().inheritInheritableThreadLocals(false).factory();
        String seen = Crew.run(4, (number, trail) -> {
            Thread.Builder own = Thread.ofPlatform().name("own-" + number + "-", 0);
            for (int i = 0; i < 15; i++) {
                Thread first = own.start(ThreadBuilders::note);
                Thread second = common.newThread(ThreadBuilders::note);
                second.start();
                trail.saw(second.getName());
                trail.saw(second.threadId());
                trail.saw(first.join(Duration.ofNanos(50_000)));
                first.join();
                second.join();
            }
        });
        System.out.println(built + " built, order " + Long.toHexString(order));
        System.out.println("seen " + seen);
    }
}
