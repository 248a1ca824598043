// Hash codes asked for while the object is locked, or after it was, at a time when the JVM may or may not have
// tidied up its lock: they are as different, and as lasting, as those of other objects. So are those of classes.
// stdout: ^8 locked, 6 classes: all different, none changed
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

public class HashOfLocked {
    static class One { }

    static class Two { }

    static class Three { }

    public static void main(String[] args) throws Exception {
        for (long i = System.nanoTime() % 1000; i > 0; i--) {
            new Object().hashCode();
        }
        List<Object> objects = new ArrayList<>();
        Set<Integer> hashes = new HashSet<>();
        for (int i = 0; i < 8; i++) {
            Object object = new Object();
            objects.add(object);
            synchronized (object) {
                if (i % 4 > 1) {
                    object.wait(0, 1); // makes a heavier lock of it
                }
                if (i % 2 == 0) {
                    hashes.add(object.hashCode());
                }
            }
            hashes.add(object.hashCode());
            synchronized (object) {
                hashes.add(object.hashCode()); // has one, and is locked again
            }
        }
        Set<Integer> ofClasses = new HashSet<>();
        for (Class<?> one : new Class<?>[] {
            new One().getClass(), new Two().getClass(), Three.class, String.class, Object.class, HashOfLocked.class
        }) {
            ofClasses.add(one.hashCode());
        }
        System.out.println(hashes.size() + " locked, " + ofClasses.size() + " classes: all different, none changed");
        for (Object object : objects) {
            System.out.println(object + (hashes.contains(object.hashCode()) ? "" : " changed"));
        }
    }
}
