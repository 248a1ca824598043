// VarHandles: what one thread writes plainly, to a field or an element, others look at plainly.
// stdout: ^slots 64, turns 4000$
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class VarHandlePlain {
    private static final VarHandle LATEST = field("latest", Object.class);
    private static final VarHandle SUM = field("sum", long.class);
    private static final VarHandle LEVEL = field("level", byte.class);
    private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(Object[].class);
    private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(int[].class);
    private static final VarHandle TURN;

    private Object latest = "none";
    private long sum;
    private byte level;
    private static int turn;

    static {
        try {
            TURN = MethodHandles.lookup().findStaticVarHandle(VarHandlePlain.class, "turn", int.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static VarHandle field(String name, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(VarHandlePlain.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        VarHandlePlain object = new VarHandlePlain();
        Object[] slots = new Object[64];
        int[] counts = new int[16];
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 1000; i++) {
                int slot = (i * 5 + number) % 64;
                Object before = SLOTS.get(slots, slot);
                trail.saw(before == null ? "empty" : before);
                SLOTS.set(slots, slot, number * 1000 + i);
                trail.saw((int) COUNTS.get(counts, slot % 16));
                COUNTS.set(counts, slot % 16, (int) COUNTS.get(counts, slot % 16) + 1);
                trail.saw(LATEST.get(object));
                LATEST.setRelease(object, "thread " + number);
                trail.saw((long) SUM.get(object));
                SUM.set(object, object.sum * 31 + number);
                trail.saw((byte) LEVEL.get(object));
                LEVEL.set(object, (byte) (number + i));
                trail.saw((int) TURN.get());
                TURN.set(number);
            }
        });
        int full = 0;
        for (Object slot : slots) {
            full += slot == null ? 0 : 1;
        }
        System.out.println("slots " + full + ", turns 4000");
        System.out.println(Long.toHexString(object.sum) + " " + object.latest + " seen " + seen);
    }
}
