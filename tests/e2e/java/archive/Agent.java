import java.lang.instrument.Instrumentation;
import java.util.jar.JarFile;

/** Puts a jar on the boot class path. */
public class Agent {
    public static void premain(String jar) {}

    public static void agentmain(String jar, Instrumentation instrumentation) throws Exception {
        instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(jar));
    }
}
