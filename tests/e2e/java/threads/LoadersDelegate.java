// Two loaders that leave half of the classes to each other, whose classes need those of the other one.
// stdout: ^[0-9]+ asked, 100 defined, order [0-9a-f]+$
import java.io.IOException;
import java.io.InputStream;

public class LoadersDelegate {
    static int asked;
    static int defined;
    static long order;

    public static class A1 extends B1 { final B2 other = new B2(); }

    public static class B1 extends A2 { final A3 other = new A3(); }

    public static class A2 { }

    public static class A3 { Class<?> more() { return B2.class; } }

    public static class B2 extends A3 { }

    static class Half extends ClassLoader {
        static {
            registerAsParallelCapable();
        }

        final char mine;
        volatile Half other;

        Half(char mine) {
            super(null);
            this.mine = mine;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("LoadersDelegate$")) {
                return super.loadClass(name, resolve);
            }
            note(name, 0);
            if (name.charAt(name.indexOf('$') + 1) != mine) {
                return other.loadClass(name);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> type = findLoadedClass(name);
                return type != null ? type : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                note(name, 1);
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static synchronized void note(String name, int what) {
        asked += what == 0 ? 1 : 0;
        defined += what;
        order = order * 31 + name.hashCode() + what + Thread.currentThread().getName().hashCode();
    }

    public static void main(String[] args) throws Exception {
        Half[] loaders = new Half[40];
        for (int i = 0; i < loaders.length; i += 2) {
            loaders[i] = new Half('A');
            loaders[i + 1] = new Half('B');
            loaders[i].other = loaders[i + 1];
            loaders[i + 1].other = loaders[i];
        }
        String[] names = {"A1", "B2", "A3", "B1"};
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 80; i++) {
                Half loader = loaders[i / 4 * 2 + (number + i) % 2];
                Class<?> type = Class.forName("LoadersDelegate$" + names[(i + number) % 4], true, loader);
                trail.saw(type.getDeclaredConstructor().newInstance().hashCode() != 0);
            }
        });
        System.out.println(asked + " asked, " + defined + " defined, order " + Long.toHexString(order));
        System.out.println("seen " + seen);
    }
}
