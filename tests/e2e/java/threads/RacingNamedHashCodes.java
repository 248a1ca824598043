// The hash code of a class loader is asked for by the program in one thread and by code of the JDK that has no order
// (the making of a proxy class) in the others: whoever comes first, it is the same.
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.atomic.AtomicInteger;

public final class RacingNamedHashCodes {
    private static final int ROUNDS = 60;

    private RacingNamedHashCodes() { }

    public static void main(String[] args) throws Exception {
        ClassLoader[] loaders = new ClassLoader[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            loaders[i] = new URLClassLoader(new URL[0]);
        }
        AtomicInteger turn = new AtomicInteger();
        System.out.println(Crew.run(4, (number, trail) -> {
            for (ClassLoader loader : loaders) {
                if (number % 2 == 0) {
                    Proxy.newProxyInstance(loader, new Class<?>[] {Runnable.class}, (proxy, method, arguments) -> null);
                } else {
                    trail.saw(System.identityHashCode(loader));
                    trail.saw(System.identityHashCode(loader.getUnnamedModule()));
                    trail.saw(System.identityHashCode(new Object()));
                }
                trail.saw(turn.incrementAndGet());
            }
        }));
    }
}
