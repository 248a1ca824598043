// How much memory and how many processors there are.
// stdout: ^free [0-9]+ of [0-9]+, at most [0-9]+
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;

public class MemoryFigures {
    public static void main(String[] args) {
        Runtime runtime = Runtime.getRuntime();
        byte[][] kept = new byte[20][];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = new byte[500_000];
            if (i % 10 == 0) {
                System.out.println("free " + runtime.freeMemory() + " of " + runtime.totalMemory()
                        + ", at most " + runtime.maxMemory());
            }
        }
        System.out.println(runtime.availableProcessors() + " processors, kept " + kept.length);
        runtime.gc();
        System.out.println(runtime.freeMemory());
        var memory = ManagementFactory.getMemoryMXBean();
        System.out.println(memory.getHeapMemoryUsage() + " " + memory.getNonHeapMemoryUsage());
        System.out.println(memory.getObjectPendingFinalizationCount());
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            System.out.println(pool.getName() + " " + pool.getUsage() + " " + pool.getPeakUsage());
        }
    }
}
