// Children that are waited for in vain, destroyed, killed; the older Runtime.exec.
// limit: the JDK's reaper thread learns of the end of a child at a moment of its own, racing with the program
// stdout: ^destroyed: 143
// stdout: ^killed: 137
import java.util.concurrent.TimeUnit;

public class ChildProcessEnds {
    public static void main(String[] args) throws Exception {
        Process sleeper = new ProcessBuilder("sleep", "30").start();
        System.out.println(sleeper.waitFor(20, TimeUnit.MILLISECONDS) + " " + sleeper.isAlive());
        try {
            sleeper.exitValue();
        } catch (IllegalThreadStateException e) {
            System.out.println(e.getMessage());
        }
        sleeper.destroy();
        System.out.println("destroyed: " + sleeper.waitFor());
        Process other = new ProcessBuilder("sleep", "30").start();
        other.destroyForcibly();
        System.out.println("killed: " + other.waitFor());
        Process old = Runtime.getRuntime().exec(new String[] {"sh", "-c", "echo $WHO; kill -9 $$"},
                new String[] {"WHO=" + System.nanoTime()});
        System.out.print(new String(old.getInputStream().readAllBytes()));
        System.out.println(old.waitFor());
    }
}
