// Threads ask for the identity hash codes of the same objects, and for the names of the same hidden classes: whoever
// comes first makes them what they are. Some of the objects are locked meanwhile.
// stdout: ^400 objects, hash [0-9a-f]+, names [0-9a-f]+$
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

public class RacingHashCodes {
    record Pair(int x, int y) { }

    static Object make(int i) {
        return switch (i % 4) {
            case 0 -> new Object();
            case 1 -> new int[i];
            case 2 -> new Pair(i, i);
            default -> new StringBuilder();
        };
    }

    public static void main(String[] args) throws Exception {
        Object[] objects = new Object[400];
        for (int i = 0; i < objects.length; i++) {
            objects[i] = make(i);
        }
        IntSupplier[] suppliers = {() -> 1, () -> 2, () -> 3, () -> 4, () -> 5, () -> 6};
        String seen = Crew.run(5, (number, trail) -> {
            for (int i = 0; i < objects.length; i++) {
                int at = (i + number * 7 + i % (number + 1)) % objects.length;
                if (at % 5 == 0) {
                    synchronized (objects[at]) {
                        trail.saw(System.identityHashCode(objects[at]));
                    }
                } else {
                    trail.saw(System.identityHashCode(objects[at]));
                }
                if (i % 50 == number) {
                    trail.saw(suppliers[(i + number) % 6].getClass().getName());
                }
            }
        });
        long hash = 0;
        for (Object object : objects) {
            hash = hash * 31 + System.identityHashCode(object);
        }
        List<String> names = new ArrayList<>();
        for (IntSupplier supplier : suppliers) {
            names.add(supplier.getClass().getName());
        }
        System.out.printf("400 objects, hash %x, names %x%n", hash, names.hashCode());
        System.out.println("seen " + seen);
    }
}
