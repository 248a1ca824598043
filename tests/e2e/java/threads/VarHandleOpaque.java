// Opaque accesses: coherent for one variable, no order between two; a progress bar for others to look at.
// stdout: ^progress 6000, never backwards$
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

public class VarHandleOpaque {
    static final VarHandle PROGRESS;
    static final VarHandle STEP;
    static long progress;
    static byte step;

    static {
        try {
            PROGRESS = MethodHandles.lookup().findStaticVarHandle(VarHandleOpaque.class, "progress", long.class);
            STEP = MethodHandles.lookup().findStaticVarHandle(VarHandleOpaque.class, "step", byte.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        AtomicInteger backwards = new AtomicInteger();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 1; number == 0 && i <= 6000; i++) {
                PROGRESS.setOpaque((long) i);
                STEP.setOpaque((byte) i);
                if (i % 50 == 0) {
                    Thread.yield();
                }
            }
            long last = 0;
            for (int i = 0; number > 0 && i < 2000; i++) {
                long now = (long) PROGRESS.getOpaque();
                trail.saw(now - last);
                trail.saw((byte) STEP.getOpaque());
                backwards.addAndGet(now < last ? 1 : 0);
                last = now;
            }
        });
        System.out.println("progress " + progress + (backwards.get() == 0 ? ", never backwards" : ", went backwards"));
        System.out.println("seen " + seen);
    }
}
