// Everyone puts and takes at both ends of a LinkedBlockingDeque.
// stdout: ^6000 moved, [0-9]+ left$
import java.util.concurrent.LinkedBlockingDeque;

public class LinkedBlockingDeques {
    public static void main(String[] args) throws Exception {
        LinkedBlockingDeque<Integer> deque = new LinkedBlockingDeque<>(20);
        for (int i = 0; i < 10; i++) {
            deque.add(-i);
        }
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 1500; i++) {
                trail.saw((i + number) % 3 == 0 ? deque.takeFirst() : deque.takeLast());
                int item = number * 2000 + i;
                if (i % 2 == 0) {
                    deque.putFirst(item);
                } else {
                    deque.putLast(item);
                }
                trail.saw(deque.peekFirst());
            }
        });
        System.out.println("6000 moved, " + deque.size() + " left");
        System.out.println(deque);
        System.out.println("seen " + seen);
    }
}
