// Threads ask for the same classes' members for the first time. What the JDK remembers of them is behind soft references,
// which it looks at more or less often, depending on who was first; the program's own looks count as ever.
import java.lang.ref.SoftReference;
import java.util.concurrent.atomic.AtomicInteger;

public final class RacingReflection {
    private RacingReflection() { }

    private static final String[] NAMES = {
        "java.util.ArrayList", "java.util.HashMap", "java.util.TreeMap", "java.util.ArrayDeque", "java.util.LinkedList",
        "java.util.HashSet", "java.util.TreeSet", "java.util.Vector", "java.util.Stack", "java.util.BitSet",
        "java.util.Random", "java.util.PriorityQueue", "java.util.LinkedHashMap", "java.util.LinkedHashSet",
        "java.util.IdentityHashMap", "java.util.WeakHashMap", "java.util.Hashtable", "java.util.Properties",
        "java.util.StringJoiner", "java.util.Formatter", "java.lang.StringBuilder", "java.lang.Object",
    };

    public static void main(String[] args) throws Exception {
        AtomicInteger turn = new AtomicInteger();
        System.out.println(Crew.run(4, (number, trail) -> {
            for (String name : NAMES) {
                Class<?> type = Class.forName(name);
                trail.saw(type.getDeclaredConstructors().length);
                trail.saw(type.getMethods().length);
                trail.saw(new SoftReference<>(null).get());
                trail.saw(turn.incrementAndGet());
            }
        }));
    }
}
