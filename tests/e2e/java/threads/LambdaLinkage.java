// Threads reach lambdas, method references and string concatenations for the first time, all at once: each site is
// linked once, whoever wins, and a lambda that captures nothing is one object for all.
// stdout: ^12 sites, each one object: true$
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntBinaryOperator;

public class LambdaLinkage {
    static final AtomicInteger LINKED = new AtomicInteger();
    static final Set<Object> OBJECTS = ConcurrentHashMap.newKeySet();

    static IntBinaryOperator site(int number) {
        return switch (number) {
            case 0 -> (a, b) -> a + b;
            case 1 -> (a, b) -> a - b;
            case 2 -> (a, b) -> a * b;
            case 3 -> Math::max;
            case 4 -> Math::min;
            case 5 -> Integer::compare;
            case 6 -> (a, b) -> a ^ b;
            case 7 -> (a, b) -> a & b;
            case 8 -> (a, b) -> a | b;
            case 9 -> Integer::sum;
            case 10 -> (a, b) -> (a + "," + b).length();
            default -> (a, b) -> (a + "," + b + "," + LINKED.get() % 7).hashCode();
        };
    }

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(5, (number, trail) -> {
            for (int i = 0; i < 60; i++) {
                IntBinaryOperator operator = site((i * (number % 2 * 4 + 1) + number) % 12);
                trail.saw(OBJECTS.add(operator));
                trail.saw(LINKED.getAndIncrement());
                trail.saw(operator.applyAsInt(i, number));
                Runnable capturing = () -> trail.saw(number + LINKED.get());
                capturing.run();
            }
        });
        System.out.println("12 sites, each one object: " + (OBJECTS.size() == 12));
        System.out.println("seen " + seen);
    }
}
