// Static initializers with input of their own; one that fails, and what comes of it.
// args: in/data.txt
// stdout: ^first reads nonce @NONCE@
// stdout: ^java.lang.ExceptionInInitializerError
// stdout: ^java.lang.NoClassDefFoundError
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

public class ClassInitReadsFile {
    static String read(String name) {
        try {
            return Files.readAllLines(Path.of(name)).get(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static class First {
        static final String TEXT = "first reads " + read("in/data.txt") + " after " + Second.MOMENT;
    }

    static class Second {
        static final long MOMENT = System.nanoTime();
    }

    static class Broken {
        static final String TEXT = read("in/missing");
    }

    interface Holder {
        Object LOCK = new Object();
    }

    public static void main(String[] args) {
        System.out.println("begin " + System.nanoTime());
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println(Broken.TEXT);
            } catch (LinkageError e) {
                System.out.println(e + " because of " + e.getCause());
            }
        }
        System.out.println(First.TEXT + " " + Holder.LOCK.hashCode() + " " + System.nanoTime());
    }
}
