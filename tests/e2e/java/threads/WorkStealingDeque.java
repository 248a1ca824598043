// The deque of Chase and Lev: its owner works at the bottom, thieves take from the top, the last one is raced for.
// stdout: ^4000 tasks: [0-9]+ by the owner, [0-9]+ stolen, [0-9]+ thefts failed$
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

public class WorkStealingDeque {
    static final int EMPTY = -1;
    static final int LOST = -2;
    private final AtomicIntegerArray tasks = new AtomicIntegerArray(4096);
    private final AtomicInteger top = new AtomicInteger();
    private volatile int bottom;

    void push(int task) {
        tasks.set(bottom % 4096, task);
        bottom = bottom + 1; // by the owner only
    }

    int pop() {
        int last = bottom - 1;
        bottom = last;
        int first = top.get();
        if (last < first) {
            bottom = first;
            return EMPTY;
        }
        int task = tasks.get(last % 4096);
        if (last == first) {
            task = top.compareAndSet(first, first + 1) ? task : LOST;
            bottom = first + 1;
        }
        return task;
    }

    int steal() {
        int first = top.get();
        if (first >= bottom) {
            return EMPTY;
        }
        int task = tasks.get(first % 4096);
        return top.compareAndSet(first, first + 1) ? task : LOST;
    }

    public static void main(String[] args) throws Exception {
        WorkStealingDeque deque = new WorkStealingDeque();
        AtomicInteger left = new AtomicInteger(4000);
        int[] done = new int[4];
        int[] failed = new int[4];
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; number == 0 && i < 4000; i++) {
                deque.push(i);
                int task = i % 3 == 0 ? deque.pop() : EMPTY;
                if (task >= 0) {
                    done[0]++;
                    left.decrementAndGet();
                }
                trail.saw(task);
                trail.saw(left.get());
            }
            while (left.get() > 0) {
                int task = number == 0 ? deque.pop() : deque.steal();
                if (task >= 0) {
                    done[number]++;
                    left.decrementAndGet();
                    trail.saw(task);
                } else {
                    failed[number] += task == LOST ? 1 : 0;
                    Thread.yield();
                }
            }
        });
        System.out.println(done[0] + done[1] + done[2] + done[3] + " tasks: " + done[0] + " by the owner, "
                + (done[1] + done[2] + done[3]) + " stolen, "
                + (failed[0] + failed[1] + failed[2] + failed[3]) + " thefts failed");
        System.out.println("seen " + seen);
    }
}
