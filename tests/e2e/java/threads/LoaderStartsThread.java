// A class loader that has a thread of its own find the bytes, while the thread that needs the class waits for it.
// stdout: ^40 classes, 40 threads of loaders, order [0-9a-f]+$
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.FutureTask;

public class LoaderStartsThread {
    static int defined;
    static int threads;
    static long order;

    static class Wanted { static final int ID = new Needed().number(); }

    static class Needed {
        int number() {
            return 7;
        }
    }

    static class Delegating extends ClassLoader {
        Delegating() {
            super(null);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            FutureTask<byte[]> search = new FutureTask<>(() -> read(name));
            new Thread(search, "finder of " + name).start();
            try {
                byte[] bytes = search.get();
                return note(defineClass(name, bytes, 0, bytes.length));
            } catch (Exception e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static byte[] read(String name) throws IOException {
        synchronized (LoaderStartsThread.class) {
            threads++;
            order = order * 37 + name.hashCode();
        }
        try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
            return in.readAllBytes();
        }
    }

    static synchronized Class<?> note(Class<?> type) {
        defined++;
        order = order * 31 + Thread.currentThread().getName().hashCode();
        return type;
    }

    public static void main(String[] args) throws Exception {
        Delegating[] loaders = new Delegating[20];
        for (int i = 0; i < loaders.length; i++) {
            loaders[i] = new Delegating();
        }
        Crew.run(3, (number, trail) -> {
            for (int i = 0; i < 20; i++) {
                Class.forName("LoaderStartsThread$Wanted", true, loaders[(i + number * 7) % 20]);
            }
        });
        System.out.println(defined + " classes, " + threads + " threads of loaders, order " + Long.toHexString(order));
    }
}
