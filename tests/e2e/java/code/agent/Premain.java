import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;

// A Java agent of the program's own: counts what it is shown of the program's classes.
public class Premain {
    static int seen;

    public static void premain(String options, Instrumentation instrumentation) {
        System.out.println("premain " + options + " at " + System.nanoTime());
        instrumentation.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(
                    ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
                if (name != null && name.startsWith("LaunchWithJavaAgent")) {
                    seen++;
                    System.setProperty("premain.seen", name + " " + bytes.length + " bytes, class " + seen);
                }
                return null;
            }
        });
        System.setProperty("premain.size", Long.toString(instrumentation.getObjectSize(new int[100])));
    }
}
