// Details of the last collection.
// limit: GcInfo refers to live beans and is not recorded
import com.sun.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

public class LastGcInfo {
    public static void main(String[] args) {
        System.gc();
        for (var bean : ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class)) {
            var info = bean.getLastGcInfo();
            System.out.println(bean.getName() + " "
                    + (info == null ? "-" : info.getStartTime() + " " + info.getDuration()));
        }
    }
}
