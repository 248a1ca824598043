// Classes that are initialised because others are: superclasses, interfaces with code, those whose field is
// inherited; by new, static methods, reflection, method handles; and initialisers that fail for all who come.
// stdout: ^by: 
// stdout: ^failures: 104, the first seen by hand-[0-4]$
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicInteger;

public class InitByInheritance {
    static final StringBuffer BY = new StringBuffer();
    static final AtomicInteger FAILURES = new AtomicInteger();
    static volatile String first;

    static int note(String name) {
        BY.append(' ').append(name).append(':').append(Thread.currentThread().getName());
        Thread.yield();
        return name.length();
    }

    static class Root { static final int X = note("root"); }

    static class Middle extends Root { }

    static class LeafA extends Middle { }

    static class LeafB extends Middle { static final int X = note("leafB"); }

    interface Plain { int X = note("plain"); }

    interface Coded {
        int X = note("coded");

        default int code() {
            return 1;
        }
    }

    static class Both implements Plain, Coded {
        static int plain() {
            return Plain.X;
        }
    }

    interface Constant { int VALUE = note("constant"); }

    static class HasConstant implements Constant {
        int value() {
            return VALUE; // named as this class's own
        }
    }

    static class ByReflection { static final int X = note("byReflection"); public ByReflection() { } }

    static class ByHandle {
        static int x = note("byHandle");

        static int get() {
            return x;
        }
    }

    static class Failing { static final int X = fail(); }

    static int fail() {
        note("failing");
        first = Thread.currentThread().getName();
        throw new IllegalStateException("as meant");
    }

    static Object use(int which) throws Throwable {
        switch (which) {
            case 0: return new LeafA();
            case 1: return LeafB.X;
            case 2: return Root.X;
            case 3: return new Both().code();
            case 4: return Both.plain();
            case 5: return new HasConstant().value();
            case 6: return ByReflection.class.getConstructor().newInstance();
            case 7:
                MethodHandle handle = MethodHandles.lookup().findStatic(ByHandle.class, "get",
                        MethodType.methodType(int.class));
                return (int) handle.invokeExact();
            default:
                try {
                    return Failing.X;
                } catch (ExceptionInInitializerError e) {
                    FAILURES.addAndGet(100);
                } catch (NoClassDefFoundError e) {
                    FAILURES.incrementAndGet();
                }
                return null;
        }
    }

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(5, (number, trail) -> {
            for (int i = 0; i < 9; i++) {
                int which = (i * (number % 2 == 0 ? 2 : 4) + number) % 9;
                try {
                    use(which);
                } catch (Throwable e) {
                    throw new AssertionError(e);
                }
                trail.saw(BY.length());
            }
        });
        System.out.println("by:" + BY);
        System.out.println("failures: " + FAILURES + ", the first seen by " + first);
        System.out.println("seen " + seen);
    }
}
