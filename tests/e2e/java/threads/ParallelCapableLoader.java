// A parallel-capable loader that locks per class, and counts under a lock of its own: who defined which class.
// stdout: ^120 classes defined by 20 loaders, [0-9]+ asked again$
import java.io.IOException;
import java.io.InputStream;

public class ParallelCapableLoader {
    static int defined;
    static int again;
    static long order;

    static class Base { }

    static class Left extends Base { }

    static class Right extends Base { }

    interface Top { }

    static class Both extends Left implements Top { }

    static class Far extends Right implements Top { }

    static class Isolating extends ClassLoader {
        static {
            registerAsParallelCapable();
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("ParallelCapableLoader$")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> type = findLoadedClass(name);
                note(name, type);
                return type != null ? type : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = ParallelCapableLoader.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static synchronized void note(String name, Class<?> loaded) {
        defined += loaded == null ? 1 : 0;
        again += loaded == null ? 0 : 1;
        order = order * 31 + name.hashCode() + Thread.currentThread().getName().hashCode();
    }

    public static void main(String[] args) throws Exception {
        Isolating[] loaders = new Isolating[20];
        for (int i = 0; i < loaders.length; i++) {
            loaders[i] = new Isolating();
        }
        String[] names = {"Both", "Far", "Left", "Right"};
        Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 80; i++) {
                Class.forName("ParallelCapableLoader$" + names[(i + number) % 4], true, loaders[i / 4]);
            }
        });
        System.out.println(defined + " classes defined by 20 loaders, " + again + " asked again");
        System.out.println("order " + Long.toHexString(order));
    }
}
