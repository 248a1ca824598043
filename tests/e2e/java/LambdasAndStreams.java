// Many lambdas, streams, method handles and string concatenations, over numbers drawn from the clock.
// stdout: ^groups \{
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

public class LambdasAndStreams {
    record Item(String name, int size) { }

    public static void main(String[] args) throws Throwable {
        Random random = new Random(System.nanoTime());
        List<Item> items = random.ints(200, 0, 100).mapToObj(i -> new Item("item" + i % 17, i)).toList();
        System.out.println("groups "
                + items.stream().collect(
                        Collectors.groupingBy(Item::name, Collectors.summingInt(Item::size))));
        System.out.println(
                items.stream()
                        .sorted(Comparator.comparing(Item::size).reversed().thenComparing(Item::name))
                        .limit(3)
                        .map(Item::toString)
                        .collect(Collectors.joining("; ", "[", "]")));
        IntUnaryOperator twice = x -> x * 2;
        IntUnaryOperator all = IntStream.range(0, 20)
                                       .mapToObj(i -> (IntUnaryOperator) x -> x + i)
                                       .reduce(twice, IntUnaryOperator::andThen);
        System.out.println(all.applyAsInt(items.get(0).size()));
        Map<String, Function<Integer, Object>> functions = new HashMap<>();
        functions.put("half", x -> x / 2.0);
        functions.put("text", x -> "<" + x + '|' + 1.5f + '|' + true + ">");
        functions.put("list", List::of);
        functions.forEach(
                (name, function) -> System.out.println(name + " " + function.apply(items.get(1).size())));
        var handle = MethodHandles.lookup().findVirtual(
                String.class, "repeat", MethodType.methodType(String.class, int.class));
        System.out.println((String) handle.invokeExact("ab", items.get(2).size() % 5));
        var bound = MethodHandles.insertArguments(handle.bindTo("xy"), 0, 3);
        System.out.println(
                bound.invoke() + " " + items.get(3).equals(items.get(3)) + " " + items.get(4).hashCode());
        System.out.println(Stream.iterate(1L, x -> x * 3)
                                   .takeWhile(x -> x < 1_000_000)
                                   .mapToLong(Long::longValue)
                                   .sum());
    }
}
