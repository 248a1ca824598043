// A ConcurrentSkipListSet from which all threads take the smallest or the largest number, and put back another.
// stdout: ^[0-9]+ numbers left between [0-9]+ and [0-9]+$
import java.util.concurrent.ConcurrentSkipListSet;

public class SkipListSets {
    public static void main(String[] args) throws Exception {
        ConcurrentSkipListSet<Integer> numbers = new ConcurrentSkipListSet<>();
        for (int i = 0; i < 500; i++) {
            numbers.add(i * 10);
        }
        String seen = Crew.run(3, (number, trail) -> {
            for (int i = 0; i < 1500; i++) {
                int taken = i % 2 == 0 ? numbers.pollFirst() : numbers.pollLast();
                trail.saw(taken);
                trail.saw(numbers.add((taken + number * 977 + 1001) % 5000));
                trail.saw(numbers.higher(2500));
            }
        });
        System.out.println(numbers.size() + " numbers left between " + numbers.first() + " and " + numbers.last());
        System.out.println(numbers.descendingSet().hashCode() + " seen " + seen);
    }
}
