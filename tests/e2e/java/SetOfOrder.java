// The order of Set.of and Map.of, which a random salt of each run decides.
// stdout: ^\[[a-z0-9, ]*\]$
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

public class SetOfOrder {
    public static void main(String[] args) {
        System.out.println(Set.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"));
        System.out.println(Map.of(1, "one", 2, "two", 3, "three", 4, "four", 5, "five", 6, "six"));
        System.out.println(Set.of("left", "right"));
        Set<Integer> many = Set.copyOf(List.of(3, 1, 4, 15, 9, 26, 5, 35, 8, 97, 93));
        System.out.println(many + " " + many.iterator().next());
        System.out.println(IntStream.range(0, 50).boxed().collect(Collectors.toUnmodifiableSet()));
        System.out.println(Map.ofEntries(Map.entry("k", 1), Map.entry("l", 2), Map.entry("m", 3)).keySet());
        System.out.println(
                System.getenv().keySet().stream().collect(Collectors.toUnmodifiableSet()).size() > 0);
    }
}
