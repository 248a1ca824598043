// The compare-and-set family of a VarHandle: strong and weak, in all orders, and exchanges that tell what was there.
// stdout: ^value [0-9]+, [0-9]+ of 8000 attempts succeeded$
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

public class VarHandleCompareAndSet {
    static final VarHandle VALUE;
    static volatile int value;

    static {
        try {
            VALUE = MethodHandles.lookup().findStaticVarHandle(VarHandleCompareAndSet.class, "value", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        AtomicInteger succeeded = new AtomicInteger();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 2000; i++) {
                int before = value;
                int after = before + number + 1;
                boolean done = switch (i % 8) {
                    case 0 -> VALUE.compareAndSet(before, after);
                    case 1 -> VALUE.weakCompareAndSet(before, after);
                    case 2 -> VALUE.weakCompareAndSetPlain(before, after);
                    case 3 -> VALUE.weakCompareAndSetAcquire(before, after);
                    case 4 -> VALUE.weakCompareAndSetRelease(before, after);
                    case 5 -> (int) VALUE.compareAndExchange(before, after) == before;
                    case 6 -> (int) VALUE.compareAndExchangeAcquire(before, after) == before;
                    default -> (int) VALUE.compareAndExchangeRelease(before, after) == before;
                };
                trail.saw(before);
                trail.saw(done);
                succeeded.addAndGet(done ? 1 : 0);
            }
        });
        System.out.println("value " + value + ", " + succeeded + " of 8000 attempts succeeded");
        System.out.println("seen " + seen);
    }
}
