// A ConcurrentLinkedDeque whose ends belong to different threads, until they meet in the middle.
// stdout: ^6000 items, each taken once$
import java.util.BitSet;
import java.util.concurrent.ConcurrentLinkedDeque;

public class LinkedDeques {
    public static void main(String[] args) throws Exception {
        ConcurrentLinkedDeque<Integer> deque = new ConcurrentLinkedDeque<>();
        BitSet[] taken = {new BitSet(), new BitSet(), new BitSet(), new BitSet()};
        for (int i = 0; i < 3000; i++) {
            deque.add(i);
        }
        String seen = Crew.run(4, (number, trail) -> {
            Integer item = 0;
            for (int i = 0; item != null || i < 750; i++) {
                if (i < 750) {
                    deque.offerFirst(3000 + number * 750 + i);
                }
                item = number % 2 == 0 ? deque.pollFirst() : deque.pollLast();
                trail.saw(item);
                if (item != null) {
                    taken[number].set(item);
                }
            }
        });
        int count = 0;
        for (int i = 0; i < 6000; i++) {
            for (BitSet set : taken) {
                count += set.get(i) ? 1 : 0;
            }
        }
        for (BitSet set : taken) {
            System.out.println("took " + set.cardinality());
        }
        System.out.println(count + " items, each taken once");
        System.out.println("seen " + seen);
    }
}
