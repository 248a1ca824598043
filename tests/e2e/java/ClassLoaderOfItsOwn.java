// A class loader that reads scrambled class files, and logs when it is asked.
// args: code/Greeter.scrambled
// stdout: ^load java.lang.System at [0-9]+
// stdout: ^asked for Greeter at [0-9]+
// stdout: ^greetings from Scrambled
import java.io.FileInputStream;
import java.io.IOException;
import java.util.function.Supplier;

public class ClassLoaderOfItsOwn {
    static class Scrambled extends ClassLoader {
        final String file;

        Scrambled(String file) {
            this.file = file;
        }

        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            System.out.println("load " + name + " at " + System.nanoTime());
            return super.loadClass(name);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            System.out.println("asked for " + name + " at " + System.nanoTime());
            if (!name.equals("Greeter")) {
                throw new ClassNotFoundException(name);
            }
            try (FileInputStream in = new FileInputStream(file)) {
                byte[] bytes = in.readAllBytes();
                for (int i = 0; i < bytes.length / 2; i++) {
                    byte b = bytes[i];
                    bytes[i] = bytes[bytes.length - 1 - i];
                    bytes[bytes.length - 1 - i] = b;
                }
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        ClassLoader loader = new Scrambled(args[0]);
        Class<?> type = Class.forName("Greeter", true, loader);
        System.out.println(((Supplier<?>) type.getDeclaredConstructor().newInstance()).get());
        try {
            Class.forName("Farewell", true, loader);
        } catch (ClassNotFoundException e) {
            System.out.println(e);
        }
        System.out.println(Class.forName("Greeter", true, loader) == type);
    }
}
