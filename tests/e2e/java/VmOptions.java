// Flags of the JVM read and written, and its diagnostic commands.
// jvm: -XX:MinHeapFreeRatio=33
// stdout: ^MinHeapFreeRatio 33 VM_CREATION
import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import javax.management.ObjectName;

public class VmOptions {
    public static void main(String[] args) throws Exception {
        var bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        for (String name : new String[] {"MinHeapFreeRatio", "MaxHeapSize", "HeapDumpOnOutOfMemoryError"}) {
            var option = bean.getVMOption(name);
            System.out.println(name + " " + option.getValue() + " " + option.getOrigin());
        }
        bean.setVMOption("MinHeapFreeRatio", "44");
        System.out.println(bean.getVMOption("MinHeapFreeRatio").getValue());
        try {
            bean.setVMOption("MaxHeapSize", "1");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        var commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
        var server = ManagementFactory.getPlatformMBeanServer();
        System.out.print(server.invoke(commands, "vmUptime", new Object[] {new String[] {"-date"}},
                new String[] {String[].class.getName()}));
    }
}
