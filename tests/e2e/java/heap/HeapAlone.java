// One thread, and a heap that nobody could predict: the seed is the clock's. Collections, cycles, references that
// the collector clears, lambdas, exceptions, buffers, an object that knows its hash code.
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.*;

public class HeapAlone {
    interface Shape {
        double area();
    }

    record Circle(double radius, String name) implements Shape {
        public double area() {
            return Math.PI * radius * radius;
        }
    }

    enum Kind { SMALL, LARGE }

    static final Random RANDOM = new Random(System.nanoTime());
    static final Map<Object, Object> BY_IDENTITY = new IdentityHashMap<>();
    static final Map<String, List<Shape>> SHAPES = new HashMap<>();
    static final Map<Kind, Integer> COUNTS = new EnumMap<>(Kind.class);
    static final WeakHashMap<Object, String> FORGOTTEN = new WeakHashMap<>();
    static final List<Object> MIXED = new LinkedList<>();
    static Object[] ring = new Object[2];
    static Runnable later;
    static Method reflected;
    static long total;

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 20_000; i++) {
            Circle circle = new Circle(RANDOM.nextDouble(), "circle " + i);
            SHAPES.computeIfAbsent("drawer " + RANDOM.nextInt(100), k -> new ArrayList<>()).add(circle);
            COUNTS.merge(circle.area() < 1 ? Kind.SMALL : Kind.LARGE, 1, Integer::sum);
            if (i % 100 == 0) {
                BY_IDENTITY.put(new Object(), RANDOM.nextInt());
                FORGOTTEN.put(new byte[100], "entry " + i);
                MIXED.add(new WeakReference<>(new byte[100]));
            }
        }
        ring[0] = ring;
        ring[1] = SHAPES.values().iterator().next();
        later = () -> total += SHAPES.size();
        later.run();
        reflected = HeapAlone.class.getMethod("main", String[].class);
        Collections.addAll(MIXED, new SoftReference<>(ring), ByteBuffer.allocateDirect(100), new int[RANDOM.nextInt(50)],
            new IllegalStateException("kept", new RuntimeException()), "text".hashCode(), Thread.currentThread(),
            new Thread(later, "never started"), int[].class, new BitSet(RANDOM.nextInt(1000)), FORGOTTEN.size());
        System.gc();
        System.out.println("entries " + FORGOTTEN.size() + ", shapes " + SHAPES.size());
    }
}
