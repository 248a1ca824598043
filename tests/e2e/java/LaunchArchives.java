// Options about class archives, from everywhere, and a log of the JVM's own: the JVM starts all the same, and
// a replay writes no log.
// env: JDK_JAVA_OPTIONS=-XX:ArchiveClassesAtExit=made.jsa
// env: JAVA_TOOL_OPTIONS=-Xshare:on
// stdout: ^started [0-9]+$
// stdout: ^log true
// stderr: ^NOTE: Picked up JDK_JAVA_OPTIONS
// stderr: ^Picked up JAVA_TOOL_OPTIONS
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

public class LaunchArchives {
    public static void main(String[] args) throws Exception {
        System.out.println("started " + System.nanoTime());
        System.out.println("log " + Files.exists(Path.of("gc.log")));
        System.out.println(ManagementFactory.getRuntimeMXBean().getInputArguments());
    }
}
