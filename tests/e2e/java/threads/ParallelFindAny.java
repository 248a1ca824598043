// findAny takes what some thread finds first, findFirst what comes first; anyMatch stops the others sooner or later.
// jvm: -Djava.util.concurrent.ForkJoinPool.common.parallelism=4
// stdout: ^findFirst is always 11, findAny found [0-9]+ different ones$
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

public class ParallelFindAny {
    public static void main(String[] args) {
        List<Integer> found = new ArrayList<>();
        AtomicInteger looked = new AtomicInteger();
        int first = 11;
        for (int i = 0; i < 60; i++) {
            found.add(IntStream.range(0, 400).parallel().filter(n -> {
                looked.incrementAndGet();
                Thread.yield();
                return n % 40 == 11;
            }).findAny().getAsInt());
            if (i % 10 == 0) {
                first = Math.max(first,
                        IntStream.range(0, 400).parallel().filter(n -> n % 40 == 11).findFirst().getAsInt());
                IntStream.range(0, 400).parallel().anyMatch(n -> looked.incrementAndGet() % 300 == n);
            }
        }
        System.out.println("findFirst is always " + first + ", findAny found "
                + new HashSet<>(found).size() + " different ones");
        System.out.println(found + ", looked at " + looked);
    }
}
