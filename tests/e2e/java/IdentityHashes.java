// Identity hash codes of every kind of object, and the orders that follow from them. The JVM draws them
// one after the other from a fixed seed: how many were drawn before is left to the clock.
// stdout: ^java.lang.Object@[0-9a-f]+
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

public class IdentityHashes {
    enum Colour { RED, GREEN, BLUE, CYAN, MAGENTA }

    interface Shape { }

    static class Plain implements Cloneable {
        Object copy() throws CloneNotSupportedException { return clone(); }
    }

    public static void main(String[] args) throws Exception {
        for (long i = System.nanoTime() % 1000; i > 0; i--) {
            new Object().hashCode();
        }
        Object object = new Object();
        System.out.println(
                object + " " + System.identityHashCode(object) + " " + System.identityHashCode(null));
        Runnable lambda = () -> {};
        System.out.println(new int[3] + " " + new String[2][2] + " " + lambda.hashCode());
        System.out.println(Plain.class.hashCode() + " " + int.class.hashCode() + " "
                + Thread.currentThread().hashCode());
        System.out.println(
                System.identityHashCode("literal") + " " + System.identityHashCode("a" + args.length));
        Plain plain = new Plain();
        System.out.println(plain.hashCode() == plain.hashCode()
                        ? plain.hashCode() + " " + plain.copy().hashCode()
                        : "unstable");
        Object locked = new Object();
        synchronized (locked) {
            System.out.println("locked " + locked.hashCode());
            locked.wait(1);
        }
        System.out.println("unlocked " + locked.hashCode());
        Map<Object, Integer> ordered = new HashMap<>();
        Set<Class<?>> classes =
                new HashSet<>(Set.of(Plain.class, Shape.class, Colour.class, String.class, int[].class));
        Map<Object, Integer> identities = new IdentityHashMap<>();
        for (Colour colour : Colour.values()) {
            ordered.put(colour, colour.ordinal());
            identities.put(new Object(), colour.ordinal());
        }
        System.out.println(ordered + " " + identities.values() + " " + classes);
        long sum = 0;
        for (int i = 0; i < 100_000; i++) {
            sum = sum * 31 + new Object().hashCode();
        }
        System.gc();
        System.out.println(sum + " " + object.hashCode());
    }
}
