// A child: its output, its errors, its exit status, its pid.
// limit: the JDK's reaper thread learns of the end of a child at a moment of its own, racing with the program
// stdout: ^out pid [0-9]+ nanos [0-9]+$
// stdout: ^exit 3
import java.io.IOException;
import java.util.concurrent.TimeUnit;

public class ChildProcess {
    public static void main(String[] args) throws Exception {
        Process child =
                new ProcessBuilder("sh", "-c", "echo pid $$ nanos $(date +%s%N); echo oops >&2; exit 3")
                        .start();
        System.out.print("out " + new String(child.getInputStream().readAllBytes()));
        System.out.print("err " + new String(child.getErrorStream().readAllBytes()));
        System.out.println("exit " + child.waitFor() + ", pid " + child.pid() + ", alive " + child.isAlive());

        Process merged =
                new ProcessBuilder("sh", "-c", "echo one; echo two >&2; head -c 200000 /dev/urandom | cksum")
                        .redirectErrorStream(true)
                        .start();
        System.out.print(new String(merged.getInputStream().readAllBytes()));
        System.out.println(merged.waitFor(5, TimeUnit.SECONDS) + " " + merged.exitValue());
        try {
            new ProcessBuilder("no-such-program-" + System.nanoTime()).start();
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
    }
}
