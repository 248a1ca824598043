// A loader that is not parallel-capable: the JVM and ClassLoader lock the loader itself, and so does the program.
// stdout: ^90 classes defined by 30 loaders, order [0-9a-f]+$
import java.io.IOException;
import java.io.InputStream;

public class SerialLoader {
    static int defined;
    static long order;

    static class First { static final Class<?> NEXT = Second.class; }

    static class Second extends Third { }

    static class Third { }

    static class Single extends ClassLoader {
        Single() {
            super(null); // everything of ours is found by findClass
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                note(name);
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static synchronized void note(String name) {
        defined++;
        order = order * 31 + name.hashCode() + Thread.currentThread().getName().hashCode();
    }

    public static void main(String[] args) throws Exception {
        Single[] loaders = new Single[30];
        for (int i = 0; i < loaders.length; i++) {
            loaders[i] = new Single();
        }
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 30; i++) {
                String name = number % 2 == 0 ? "SerialLoader$First" : "SerialLoader$Second";
                Class.forName(name, true, loaders[(i + number % 3) % 30]);
                synchronized (loaders[i]) {
                    Class.forName("SerialLoader$Third", false, loaders[i]);
                    trail.saw(Thread.holdsLock(loaders[(i + 1) % 30]));
                }
                Class.forName("SerialLoader$First", true, loaders[i]).getDeclaredField("NEXT");
            }
        });
        for (Single loader : loaders) {
            Class.forName("SerialLoader$First", true, loader);
            Class.forName("SerialLoader$Second", true, loader);
        }
        System.out.println(defined + " classes defined by 30 loaders, order " + Long.toHexString(order));
        System.out.println("seen " + seen);
    }
}
