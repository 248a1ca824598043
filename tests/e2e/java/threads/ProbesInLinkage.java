// Threads that meet in tables of the JVM's own, which spread them by random numbers; what numbers they have then, and in which
// cell of a counter they are.
// stdout: ^sum 4000 
import java.lang.invoke.MethodType;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

public class ProbesInLinkage {
    static final Class<?>[] TYPES = {int.class, long.class, String.class, Object.class, double.class, Thread.class};

    static MethodType type(int number) {
        Class<?>[] parameters = new Class<?>[8];
        for (int i = 0; i < parameters.length; i++, number /= TYPES.length) {
            parameters[i] = TYPES[number % TYPES.length];
        }
        return MethodType.methodType(void.class, parameters);
    }

    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<Integer, Integer> table = new ConcurrentHashMap<>();
        LongAdder sum = new LongAdder();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 3000; i++) {
                type(i * 4 + number);
            }
            trail.saw(ThreadLocalRandom.current().nextInt());
            for (int i = 0; i < 1000; i++) {
                table.put(i * 4 + number, i);
                sum.increment();
                trail.saw(ThreadLocalRandom.current().nextInt());
                if (i % 50 == 0) {
                    trail.saw(sum.sum());
                }
            }
        });
        System.out.println("sum " + sum + " seen " + seen);
    }
}
