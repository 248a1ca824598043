// getAndAdd, getAndSet and the bitwise updates of VarHandles, in all orders and of several types.
// stdout: ^count 8000, last
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class VarHandleGetAndAdd {
    static final VarHandle COUNT;
    static final VarHandle BITS;
    static final VarHandle LAST;
    static volatile long count;
    static volatile short bits;
    static volatile Object last = "nobody";

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            COUNT = lookup.findStaticVarHandle(VarHandleGetAndAdd.class, "count", long.class);
            BITS = lookup.findStaticVarHandle(VarHandleGetAndAdd.class, "bits", short.class);
            LAST = lookup.findStaticVarHandle(VarHandleGetAndAdd.class, "last", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(4, (number, trail) -> {
            short bit = (short) (1 << number);
            for (int i = 0; i < 2000; i++) {
                trail.saw(switch (i % 3) {
                    case 0 -> (long) COUNT.getAndAdd(1L);
                    case 1 -> (long) COUNT.getAndAddAcquire(1L);
                    default -> (long) COUNT.getAndAddRelease(1L);
                });
                trail.saw(switch (i % 4) {
                    case 0 -> (short) BITS.getAndBitwiseOr(bit);
                    case 1 -> (short) BITS.getAndBitwiseXorAcquire((short) 15);
                    case 2 -> (short) BITS.getAndBitwiseAndRelease((short) ~bit);
                    default -> (short) BITS.getAndAdd((short) 16);
                });
                trail.saw((Object) LAST.getAndSet((Object) ("thread " + number)));
            }
        });
        System.out.println("count " + count + ", last " + last + ", bits " + bits);
        System.out.println("seen " + seen);
    }
}
