// A PriorityBlockingQueue gives the smallest of what is there: which depends on who has put what by then.
// stdout: ^2000 taken, [0-9]+ out of order$
import java.util.concurrent.PriorityBlockingQueue;

public class PriorityBlockingQueues {
    public static void main(String[] args) throws Exception {
        PriorityBlockingQueue<Integer> queue = new PriorityBlockingQueue<>();
        int[] descents = new int[4];
        String seen = Crew.run(4, (number, trail) -> {
            int last = 0;
            for (int i = 0; i < 1000; i++) {
                if (number < 2) {
                    queue.add(i * 7919 % 1000 * 2 + number);
                    trail.saw(queue.size());
                } else {
                    int item = queue.take();
                    descents[number] += item < last ? 1 : 0;
                    last = item;
                    trail.saw(item);
                }
            }
        });
        System.out.println("2000 taken, " + (descents[2] + descents[3]) + " out of order");
        System.out.println("seen " + seen + ", left " + queue);
    }
}
