// A parallel-capable loader without any lock: threads find what others have defined, or define it twice.
// stdout: ^[0-9]+ found, [0-9]+ defined, [0-9]+ too late$
import java.io.IOException;
import java.io.InputStream;

public class LoaderFindsLoaded {
    static int found;
    static int defined;
    static int late;
    static long order;

    static class Base { }

    static class Middle extends Base { }

    static class Top extends Middle { }

    static class Unlocked extends ClassLoader {
        static {
            registerAsParallelCapable();
        }

        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            if (!name.startsWith("LoaderFindsLoaded$")) {
                return super.loadClass(name);
            }
            Class<?> type = findLoadedClass(name);
            if (type != null) {
                note(name, 0);
                return type;
            }
            try {
                type = define(name);
                note(name, 1);
                return type;
            } catch (LinkageError e) {
                note(name, 2);
                return findLoadedClass(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = LoaderFindsLoaded.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static synchronized void note(String name, int what) {
        found += what == 0 ? 1 : 0;
        defined += what == 1 ? 1 : 0;
        late += what == 2 ? 1 : 0;
        order = order * 31 + name.hashCode() + what + Thread.currentThread().getName().hashCode();
    }

    public static void main(String[] args) throws Exception {
        Unlocked[] loaders = new Unlocked[20];
        for (int i = 0; i < loaders.length; i++) {
            loaders[i] = new Unlocked();
        }
        String[] names = {"Top", "Middle", "Base"};
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 60; i++) {
                String name = "LoaderFindsLoaded$" + names[(i + number) % 3];
                Class<?> type = number % 2 == 0 ? Class.forName(name, false, loaders[i / 3]) : loaders[i / 3].loadClass(name);
                trail.saw(type.getClassLoader() == loaders[i / 3]);
            }
        });
        System.out.println(found + " found, " + defined + " defined, " + late + " too late");
        System.out.println("seen " + seen + ", order " + Long.toHexString(order));
    }
}
