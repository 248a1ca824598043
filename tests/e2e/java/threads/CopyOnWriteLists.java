// CopyOnWriteArrayList and its set: an iterator sees the list as it was when the iterator was made.
// stdout: ^[0-9]+ in the list, [0-9]+ in the set$
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;

public class CopyOnWriteLists {
    public static void main(String[] args) throws Exception {
        CopyOnWriteArrayList<Integer> list = new CopyOnWriteArrayList<>();
        CopyOnWriteArraySet<Integer> set = new CopyOnWriteArraySet<>();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 300; i++) {
                list.add(number * 1000 + i);
                trail.saw(list.addIfAbsent(i % 50));
                trail.saw(set.add(i / 3));
                if (i % 10 == number) {
                    for (int item : list) {
                        trail.saw(item);
                    }
                    list.removeIf(item -> item % 3 == number % 3);
                    set.remove(i / 6);
                }
            }
        });
        System.out.println(list.size() + " in the list, " + set.size() + " in the set");
        System.out.println(list.hashCode() + " " + set + " seen " + seen);
    }
}
