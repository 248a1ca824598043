// Threads that take two of three locks in any order until they are stuck; who was, and where, is told by ThreadMXBean.
// stdout: ^stuck after [0-9]+ rounds: [2-3] threads$
// exit: 3
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;

public class DeadlockFound {
    static final Object[] LOCKS = {new Object(), new StringBuilder(), new Thread()};
    static final Object COUNTER = new Object();
    static int rounds;

    static void work(int number) {
        for (int i = number; ; i = i * 7 + number + 1 & 0xffff) {
            synchronized (LOCKS[i % 3]) {
                synchronized (COUNTER) {
                    rounds++;
                }
                Thread.yield();
                synchronized (LOCKS[(i + 1 + i / 3 % 2) % 3]) {
                    Thread.yield();
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        for (int i = 0; i < 3; i++) {
            int number = i;
            Thread thread = new Thread(() -> work(number), "worker-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        long[] stuck;
        while ((stuck = threads.findDeadlockedThreads()) == null) {
            Thread.sleep(5);
        }
        synchronized (COUNTER) {
            System.out.println("stuck after " + rounds + " rounds: " + stuck.length + " threads");
        }
        for (ThreadInfo info : threads.getThreadInfo(stuck, true, true)) {
            System.out.println(info.getThreadName() + " " + info.getThreadState() + " waits for " + info.getLockName()
                    + " of " + info.getLockOwnerName() + " at " + info.getStackTrace()[0]);
            for (MonitorInfo monitor : info.getLockedMonitors()) {
                System.out.println("  has " + monitor + " since " + monitor.getLockedStackFrame());
            }
        }
        System.exit(3);
    }
}
