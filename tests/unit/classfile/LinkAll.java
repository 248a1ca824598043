import java.io.PrintStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Loads every class named in a file, and links it, which makes the JVM verify it; does not initialise it.
 * Arguments: the file with the names; a file for the names of classes that could not be linked; and, if
 * methods are to be compiled by the JIT compiler, a file with lines "class method descriptor" (then
 * jdk.test.whitebox.WhiteBox must be on the boot class path).
 *
 * Exits with 1 if a class was found malformed, or the helper that rewritten classes call saw something wrong.
 * A missing dependency of a class is listed only.
 */
public class LinkAll {
    static final ClassLoader loader = LinkAll.class.getClassLoader();

    public static void main(String[] args) throws Exception {
        helper("checking", true);
        List<String> names = Files.readAllLines(Path.of(args[0]));
        int linked = 0, bad = 0, missing = 0;
        try (PrintStream list = new PrintStream(args[1])) {
            for (String name : names) {
                try {
                    // Asking for methods links the class first.
                    Class.forName(name, false, loader).getDeclaredMethods();
                    linked++;
                } catch (VerifyError | ClassFormatError e) {
                    System.out.println(name + ": " + e.toString().split("\n")[0]);
                    list.println(name);
                    bad++;
                } catch (LinkageError | ClassNotFoundException | TypeNotPresentException e) {
                    list.println(name);
                    missing++;
                }
            }
        }
        // The collectors rely on the layout of some classes.
        var references = new java.lang.ref.WeakReference<?>[1000];
        for (int i = 0; i < references.length; i++)
            references[i] = new java.lang.ref.WeakReference<>(new Object());
        System.gc();
        System.gc();
        if (args.length > 2)
            compile(Files.readAllLines(Path.of(args[2])));
        Object error = helper("error", null);
        System.out.printf("linked %d, malformed %d, with something missing %d, helper calls %s, error %s%n",
            linked, bad, missing, helper("calls", null), error);
        System.exit(bad > 0 || error != null ? 1 : 0);
    }

    /** Has the simple compiler look at methods; -Xlog:monitormismatch then tells what it did not like. */
    static void compile(List<String> lines) throws Exception {
        Class<?> type = Class.forName("jdk.test.whitebox.WhiteBox");
        Object box = type.getConstructor().newInstance();
        Method compile = type.getMethod("compile", java.lang.reflect.Executable.class, int.class);
        int compiled = 0;
        for (String line : lines) {
            String[] words = line.split(" ");
            try {
                Class<?> c = Class.forName(words[0], false, loader);
                Class<?>[] parameters =
                    MethodType.fromMethodDescriptorString(words[2], c.getClassLoader()).parameterArray();
                compile.invoke(box, c.getDeclaredMethod(words[1], parameters), 1);
                compiled++;
            } catch (ReflectiveOperationException | LinkageError | TypeNotPresentException e) {
                // Constructors, class initialisers, what reflection hides, what is missing.
            }
        }
        System.out.printf("compiled %d of %d%n", compiled, lines.size());
    }

    /** A field of java.lang.CanonTest, if there is one (not when linking the original classes). */
    static Object helper(String field, Object value) throws Exception {
        try {
            var f = Class.forName("java.lang.CanonTest").getField(field);
            if (value != null)
                f.set(null, value);
            return f.get(null);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }
}
