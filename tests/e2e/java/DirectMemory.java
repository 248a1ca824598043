// Off-heap buffers under a limit: the JDK frees them when the collector finds them unused.
// jvm: -XX:MaxDirectMemorySize=16m
// stdout: ^allocated 100 buffers
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;

public class DirectMemory {
    public static void main(String[] args) {
        long sum = 0;
        for (int i = 0; i < 100; i++) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
            buffer.putLong(i, System.nanoTime());
            sum += buffer.getLong(i);
        }
        System.out.println("allocated 100 buffers, sum " + sum);
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            System.out.println(pool.getName() + " " + pool.getCount() + " " + pool.getMemoryUsed() + " "
                    + pool.getTotalCapacity());
        }
    }
}
