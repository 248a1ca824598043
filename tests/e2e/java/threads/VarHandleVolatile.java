// VarHandles in volatile mode on instance and static fields that are not volatile themselves.
// stdout: ^static [0-9]+, instance [0-9]+$
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class VarHandleVolatile {
    static final VarHandle COMMON;
    static final VarHandle OWN;
    static int common;
    int own;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            COMMON = lookup.findStaticVarHandle(VarHandleVolatile.class, "common", int.class);
            OWN = lookup.findVarHandle(VarHandleVolatile.class, "own", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        VarHandleVolatile object = new VarHandleVolatile();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 2000; i++) {
                int before = (int) COMMON.getVolatile();
                COMMON.setVolatile(before + number + 1); // not atomic: additions get lost
                trail.saw(before);
                if (i % 2 == 0) {
                    OWN.setVolatile(object, i * 4 + number);
                }
                trail.saw((int) OWN.getVolatile(object));
            }
        });
        System.out.println("static " + common + ", instance " + object.own);
        System.out.println("seen " + seen);
    }
}
