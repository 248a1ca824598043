// Children that end while threads look at them: alive or not, waited for with a time-out, destroyed, read.
// stdout: ^[0-9]+ found alive, trails [0-9a-f]+$
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

public class ChildrenEnd {
    static final AtomicInteger ALIVE = new AtomicInteger();

    /** The last one leaves a child of its own, which keeps the pipe open. */
    static final String[] WORK = {
        "echo $$; exit 3", "echo a; echo b >&2; kill -9 $$", "exit 0", "echo c", "(sleep 0.02; echo late) & echo now"
    };

    static int readSlowly(InputStream from) {
        int read = 0;
        try {
            while (from.read() >= 0) {
                read++;
            }
        } catch (java.io.IOException e) {
            read = -1 - read; /* closed by who has ended the child */
        }
        return read;
    }

    static void look(Process child, int i, Crew.Trail trail) throws Exception {
        for (int k = 0; k < 40 && child.isAlive(); k++) {
            trail.saw(ALIVE.incrementAndGet());
        }
        trail.saw(child.waitFor(i % 3, TimeUnit.MILLISECONDS));
        if (i % 4 == 0) {
            child.destroy();
        }
        trail.saw(child.onExit().isDone());
    }

    public static void main(String[] args) throws Exception {
        String trails = Crew.run(3, (number, trail) -> {
            for (int i = 0; i < WORK.length; i++) {
                Process child = new ProcessBuilder("sh", "-c", WORK[i]).start();
                child.onExit().thenAccept(ended -> ALIVE.addAndGet(100));
                look(child, i + number, trail);
                trail.saw(readSlowly(child.getInputStream()));
                trail.saw(child.waitFor());
                trail.saw(readSlowly(child.getErrorStream()));
                trail.saw(ALIVE.get());
            }
        });
        System.out.println(ALIVE + " found alive, trails " + trails);
    }
}
