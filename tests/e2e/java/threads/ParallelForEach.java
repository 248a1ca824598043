// forEach of a parallel stream has no order, forEachOrdered has; a common counter tells them apart.
// jvm: -Djava.util.concurrent.ForkJoinPool.common.parallelism=4
// stdout: ^ordered 2000 of 2000, without order [0-9]+$
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

public class ParallelForEach {
    static int inPlace(List<Integer> numbers) {
        int count = 0;
        for (int i = 0; i < numbers.size(); i++) {
            count += numbers.get(i) == i ? 1 : 0;
        }
        return count;
    }

    public static void main(String[] args) {
        List<Integer> any = Collections.synchronizedList(new ArrayList<>());
        List<Integer> ordered = Collections.synchronizedList(new ArrayList<>());
        List<Integer> peeked = Collections.synchronizedList(new ArrayList<>());
        IntStream.range(0, 2000).parallel().forEach(i -> {
            any.add(i);
            Thread.yield();
        });
        IntStream.range(0, 2000).parallel().peek(peeked::add).forEachOrdered(ordered::add);
        System.out.println("ordered " + inPlace(ordered) + " of 2000, without order " + inPlace(any));
        System.out.println(any.hashCode() + " " + peeked.hashCode());
        System.out.println(any.subList(0, 20));
    }
}
