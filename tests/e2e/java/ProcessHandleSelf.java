// What a process can know of itself and of its parent.
// stdout: ^pid [0-9]+, alive true
import java.lang.management.ManagementFactory;
import java.util.Arrays;

public class ProcessHandleSelf {
    public static void main(String[] args) {
        ProcessHandle self = ProcessHandle.current();
        System.out.println("pid " + self.pid() + ", alive " + self.isAlive());
        ProcessHandle.Info info = self.info();
        System.out.println(info.startInstant().orElse(null) + " " + info.user().orElse(null) + " "
                + info.totalCpuDuration().orElse(null));
        System.out.println(
                info.command().orElse(null) + " " + Arrays.toString(info.arguments().orElse(null)));
        System.out.println(self.parent().map(ProcessHandle::pid).orElse(-1L) + " " + self.children().count()
                + " " + self.supportsNormalTermination());
        System.out.println(ManagementFactory.getRuntimeMXBean().getName().startsWith(self.pid() + "@"));
        System.out.println(ProcessHandle.of(self.pid()).equals(java.util.Optional.of(self)) + " "
                + ProcessHandle.of(999_999_999).isPresent());
        try {
            self.destroy();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
