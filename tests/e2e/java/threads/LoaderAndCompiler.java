// Hot methods have classes in their signatures that nobody needs but the JIT compiler, which asks their loader for
// them when it likes, on any of the threads that share them. The loader counts.
// stdout: ^[0-9]+ asked, order [0-9a-f]+$
import java.io.IOException;
import java.io.InputStream;
import java.util.function.IntUnaryOperator;

public class LoaderAndCompiler {
    static int asked;
    static long order;

    static class Late { }

    static class Later { }

    static class Hot implements IntUnaryOperator {
        @Override
        public int applyAsInt(int value) {
            int sum = 0;
            for (int i = 0; i < 40; i++) {
                sum += step(value, i, null) + turn(value + i, null);
            }
            return sum;
        }

        static int step(int a, int b, Late late) {
            return late == null ? a * 31 + b : 0;
        }

        static int turn(int a, Later later) {
            return later == null ? a ^ a >> 3 : 0;
        }
    }

    static class Counting extends ClassLoader {
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("LoaderAndCompiler$")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                note(name);
                Class<?> type = findLoadedClass(name);
                return type != null ? type : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = LoaderAndCompiler.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static synchronized void note(String name) {
        asked++;
        order = order * 31 + name.hashCode() + Thread.currentThread().getName().hashCode();
    }

    static synchronized int asked() {
        return asked;
    }

    public static void main(String[] args) throws Exception {
        IntUnaryOperator[] all = new IntUnaryOperator[8];
        for (int i = 0; i < all.length; i++) {
            Class<?> type = Class.forName("LoaderAndCompiler$Hot", true, new Counting());
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            all[i] = (IntUnaryOperator) constructor.newInstance();
        }
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 8; i++) {
                int sum = 0;
                for (int round = 0; round < 3000; round++) {
                    sum += all[(i + number) % 8].applyAsInt(round);
                }
                trail.saw(sum);
                trail.saw(asked());
            }
        });
        System.out.println(asked + " asked, order " + Long.toHexString(order));
        System.out.println("seen " + seen);
    }
}
