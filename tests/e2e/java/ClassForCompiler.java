// Classes that only the compiler asks for: they are in the signature of a hot method, and no instance of them
// exists. The file that keeps the methods from being compiled is gone at replay.
// jvm: -XX:-TieredCompilation -XX:CompileCommandFile=compiled.txt
// args: in/data.txt
// stdout: ^60000 60000 nonce @NONCE@
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntUnaryOperator;

public class ClassForCompiler {
    static class Never {}

    static class NeverEither {}

    static int count(Never[] never, int n) {
        return never == null ? n + 1 : 0;
    }

    /** Of a loader that looks at the clock, and at something that is an event. */
    public static class Guest implements IntUnaryOperator {
        static int count(NeverEither never, int n) {
            return never == null ? n + 1 : 0;
        }

        public int applyAsInt(int n) {
            return count(null, n);
        }
    }

    static class Own extends ClassLoader {
        long asked;

        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            asked += System.nanoTime() + Runtime.getRuntime().availableProcessors();
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null || !name.startsWith("ClassForCompiler$")) {
                return loaded != null ? loaded : super.loadClass(name);
            }
            try {
                byte[] bytes = Files.readAllBytes(Path.of("classes", name + ".class"));
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Class<?> type = new Own().loadClass("ClassForCompiler$Guest");
        IntUnaryOperator guest = (IntUnaryOperator) type.getDeclaredConstructor().newInstance();
        int mine = 0;
        int guests = 0;
        for (int i = 0; i < 60000; i++) {
            mine = count(null, mine);
            guests = guest.applyAsInt(guests);
        }
        System.out.println(mine + " " + guests + " " + Files.readAllLines(Path.of(args[0])).get(1));
    }
}
