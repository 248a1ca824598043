import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Defines Counter in every way that Java code and native code have, and lets two threads use it. */
public class Defines {
    interface Way {
        Class<?> define(byte[] bytes) throws Exception;
    }

    static class Loader extends ClassLoader {
        Class<?> define(String name, byte[] bytes) {
            return defineClass(name, bytes, 0, bytes.length);
        }

        Class<?> define(ByteBuffer bytes) {
            return defineClass("Counter", bytes, null);
        }
    }

    static native Class<?> defineByJni(ClassLoader loader, byte[] bytes);

    public static void main(String[] args) throws Exception {
        System.load(args[1]);
        byte[] bytes = Files.readAllBytes(Path.of(args[0]));
        Map<String, Way> ways = new LinkedHashMap<>();
        ways.put("defineClass", b -> new Loader().define("Counter", b));
        ways.put("defineClass without a name", b -> new Loader().define(null, b));
        ways.put("defineClass of a buffer", b -> new Loader().define(ByteBuffer.allocateDirect(b.length).put(b).flip()));
        ways.put("Unsafe", b -> jdk.internal.misc.Unsafe.getUnsafe().defineClass("Counter", b, 0, b.length, new Loader(), null));
        ways.put("JNI", b -> defineByJni(new Loader(), b));
        ways.put("Lookup", b -> MethodHandles.lookup().defineClass(b));
        for (Map.Entry<String, Way> way : ways.entrySet()) {
            System.out.println(way.getKey());
            Runnable counter = (Runnable) way.getValue().define(bytes).getDeclaredConstructor().newInstance();
            Thread thread = new Thread(counter);
            thread.start();
            thread.join();
        }
    }
}
