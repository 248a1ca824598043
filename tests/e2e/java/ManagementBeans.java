// Figures of the JVM and the system through java.lang.management and com.sun.management.
// stdout: ^uptime [0-9]+, started [0-9]+
import java.lang.management.GarbageCollectorMXBean;
import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import javax.management.ObjectName;

public class ManagementBeans {
    public static void main(String[] args) throws Exception {
        var runtime = ManagementFactory.getRuntimeMXBean();
        System.out.println("uptime " + runtime.getUptime() + ", started " + runtime.getStartTime() + ", "
                + runtime.getName());
        System.out.println(runtime.getVmName() + " " + runtime.getInputArguments().size());
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        System.out.println(threads.getCurrentThreadCpuTime() + " " + threads.getCurrentThreadUserTime() + " "
                + threads.getThreadCount() + " " + threads.getPeakThreadCount() + " "
                + threads.getTotalStartedThreadCount());
        System.out.println(threads.getThreadInfo(Thread.currentThread().getId()).getThreadState());
        var classes = ManagementFactory.getClassLoadingMXBean();
        System.out.println(classes.getLoadedClassCount() + " " + classes.getTotalLoadedClassCount());
        System.out.println(ManagementFactory.getCompilationMXBean().getTotalCompilationTime());
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        System.out.println(system.getSystemLoadAverage() + " " + system.getProcessCpuTime() + " "
                + system.getTotalMemorySize() + " " + system.getFreeMemorySize() + " "
                + system.getCommittedVirtualMemorySize() + " " + system.getCpuLoad() + " "
                + system.getProcessCpuLoad() + " " + system.getFreeSwapSpaceSize());
        if (system instanceof UnixOperatingSystemMXBean unix) {
            System.out.println(unix.getOpenFileDescriptorCount() + " of " + unix.getMaxFileDescriptorCount());
        }
        System.gc();
        for (var bean : ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class)) {
            System.out.println(
                    bean.getName() + " " + bean.getCollectionCount() + " " + bean.getCollectionTime());
        }
        var server = ManagementFactory.getPlatformMBeanServer();
        System.out.println(server.getMBeanCount() + " "
                + server.getAttribute(new ObjectName("java.lang:type=Memory"), "HeapMemoryUsage").hashCode());
    }
}
