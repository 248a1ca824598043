// The target of a call site that threads change and call, as those of dynamic languages do: which one a call gets to.
// stdout: ^calls 8000 
import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;

public class MutableSites {
    private static final MethodType TYPE = MethodType.methodType(int.class, int.class);
    private static final MutableCallSite SITE = new MutableCallSite(TYPE);
    private static final MethodHandle CALL = SITE.dynamicInvoker();
    private static final MethodHandle[] TARGETS = new MethodHandle[4];

    static int answer(int which, int with) {
        return which * 100000 + with;
    }

    static int first(int with) {
        SITE.setTarget(TARGETS[with % 4]);
        return -with;
    }

    public static void main(String[] args) throws Exception {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle answer = lookup.findStatic(MutableSites.class, "answer",
                MethodType.methodType(int.class, int.class, int.class));
        for (int i = 0; i < TARGETS.length; i++) {
            TARGETS[i] = MethodHandles.insertArguments(answer, 0, i);
        }
        MethodHandle first = lookup.findStatic(MutableSites.class, "first", TYPE);
        SITE.setTarget(first);
        CallSite site = SITE;
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 2000; i++) {
                try {
                    trail.saw((int) CALL.invokeExact(number * 10 + i % 10));
                } catch (Throwable e) {
                    throw new AssertionError(e);
                }
                if (i % 40 == number * 10) {
                    site.setTarget(i % 3 == 0 ? first : TARGETS[number]);
                }
            }
        });
        System.out.println("calls 8000 seen " + seen);
    }
}
