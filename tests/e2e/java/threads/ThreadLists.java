// Threads that come and go while others list them, ask for their stacks, and for what the JVM knows of them.
// stdout: ^seen [0-9a-f]+$
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Map;

public class ThreadLists {
    static volatile int turn;

    static void live(int rounds) {
        for (int i = 0; i < rounds; i++) {
            turn++;
            Thread.yield();
        }
    }

    static long sum(Map<Thread, StackTraceElement[]> stacks) {
        long sum = 0;
        for (Map.Entry<Thread, StackTraceElement[]> one : stacks.entrySet()) {
            for (StackTraceElement frame : one.getValue()) {
                sum = sum * 31 + frame.toString().hashCode();
            }
            sum = sum * 31 + one.getKey().getName().hashCode();
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        String seen = Crew.run(3, (number, trail) -> {
            for (int i = 0; i < 12; i++) {
                Thread child = new Thread(() -> live(20), "child-" + number + "-" + i);
                child.start();
                if (number == 0) {
                    trail.saw(sum(Thread.getAllStackTraces()));
                } else if (number == 1) {
                    for (ThreadInfo info : bean.getThreadInfo(bean.getAllThreadIds(), 3)) {
                        trail.saw(info == null ? "gone" : info.getThreadName() + info.getThreadState());
                    }
                } else {
                    Thread[] all = new Thread[100];
                    for (int k = Thread.enumerate(all) - 1; k >= 0; k--) {
                        trail.saw(all[k].getName() + all[k].getStackTrace().length + all[k].isAlive());
                    }
                }
                trail.saw(turn);
                if (i % 3 == 0) {
                    child.join();
                }
            }
        });
        System.out.println("seen " + seen);
    }
}
