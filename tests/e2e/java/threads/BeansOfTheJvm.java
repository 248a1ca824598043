// The JVM's beans are asked for: on the way the JVM itself calls Java code, which leaves the default locale for
// formats behind, and the program uses that later.
// stdout: ^[0-9]+ beans, [0-9]+ first$
import java.lang.management.ManagementFactory;
import java.text.MessageFormat;
import java.util.concurrent.atomic.AtomicInteger;

public class BeansOfTheJvm {
    static final AtomicInteger TICKET = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        int[] tickets = new int[2];
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            int me = i;
            threads[i] = new Thread(() -> {
                for (int k = 0; k < 3000; k++) {
                    tickets[me] = tickets[me] * 31 + TICKET.incrementAndGet();
                }
            });
            threads[i].start();
        }
        int beans = ManagementFactory.getPlatformMBeanServer().getMBeanCount();
        int first = TICKET.get();
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(MessageFormat.format("{0} beans, {1} first", "" + beans, "" + first));
        System.out.println(tickets[0] + " " + tickets[1]);
    }
}
