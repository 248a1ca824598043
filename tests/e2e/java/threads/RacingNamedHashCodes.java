// The hash code of a module is asked for by the program in one thread and by code of the JDK that has no order (the
// making of a proxy class, which remembers who reads whom) in the others: whoever comes first, it is the same.
import java.io.File;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.atomic.AtomicInteger;

public final class RacingNamedHashCodes {
    public interface Face { }

    private static final int ROUNDS = 40;

    private RacingNamedHashCodes() { }

    // Each has a module of its own.
    private static Class<?>[] faces() throws Exception {
        URL classes = new File(System.getProperty("java.class.path")).toURI().toURL();
        Class<?>[] faces = new Class<?>[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            ClassLoader loader = new URLClassLoader(new URL[] {classes}, null);
            faces[i] = Class.forName("RacingNamedHashCodes$Face", false, loader);
        }
        return faces;
    }

    public static void main(String[] args) throws Exception {
        Class<?>[] faces = faces();
        AtomicInteger turn = new AtomicInteger();
        System.out.println(Crew.run(4, (number, trail) -> {
            for (int i = 0; i < ROUNDS; i++) { // they meet somewhere in the middle
                Class<?> face = faces[number % 2 == 0 ? i : ROUNDS - 1 - i];
                if (number % 2 == 0) {
                    Proxy.newProxyInstance(face.getClassLoader(), new Class<?>[] {face}, (proxy, method, given) -> null);
                } else {
                    trail.saw(System.identityHashCode(face.getModule()));
                    trail.saw(System.identityHashCode(face.getClassLoader()));
                    trail.saw(System.identityHashCode(new Object()));
                    Thread.sleep(1);
                }
            }
            trail.saw(turn.incrementAndGet());
        }));
    }
}
