// Parallel streams that collect: the result is always the same, who computed what is not.
// jvm: -Djava.util.concurrent.ForkJoinPool.common.parallelism=4
// stdout: ^2000 numbers, sum 1999000, 7 groups$
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

public class ParallelCollect {
    public static void main(String[] args) {
        Map<Thread, Integer> workers = new ConcurrentHashMap<>();
        AtomicInteger arrivals = new AtomicInteger();
        int[] arrival = new int[2000];
        List<Integer> numbers = IntStream.range(0, 2000).parallel().map(i -> {
            workers.putIfAbsent(Thread.currentThread(), workers.size());
            arrival[i] = arrivals.getAndIncrement();
            Thread.yield();
            return i;
        }).boxed().collect(Collectors.toList());
        ConcurrentHashMap<Integer, List<Integer>> groups = new ConcurrentHashMap<>(
                numbers.parallelStream().collect(Collectors.groupingByConcurrent(i -> i % 7)));
        int sum = numbers.parallelStream().mapToInt(Integer::intValue).sum();
        Crew.Trail order = new Crew.Trail();
        for (int one : arrival) {
            order.saw(one);
        }
        for (int i = 0; i < 7; i++) {
            order.saw(groups.get(i).hashCode()); // the order within a group is nobody's
        }
        System.out.println(numbers.size() + " numbers, sum " + sum + ", " + groups.size() + " groups");
        System.out.println(workers.size() + " workers, order " + order.hex());
    }
}
