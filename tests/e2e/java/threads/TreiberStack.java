// Treiber's stack without locks: pushes and pops that start again when somebody was faster.
// stdout: ^8000 pushed, 8000 popped, [0-9]+ retries$
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

public class TreiberStack {
    record Node(int item, Node below) { }

    private final AtomicReference<Node> top = new AtomicReference<>();
    private final AtomicInteger retries = new AtomicInteger();

    void push(int item) {
        Node old = top.get();
        while (!top.compareAndSet(old, new Node(item, old))) {
            retries.incrementAndGet();
            old = top.get();
        }
    }

    Integer pop() {
        Node old = top.get();
        while (old != null && !top.compareAndSet(old, old.below())) {
            retries.incrementAndGet();
            old = top.get();
        }
        return old == null ? null : old.item();
    }

    public static void main(String[] args) throws Exception {
        TreiberStack stack = new TreiberStack();
        AtomicInteger popped = new AtomicInteger();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 2000; i++) {
                stack.push(i * 4 + number);
                if (i % 3 != 0) {
                    Integer item = stack.pop();
                    popped.addAndGet(item == null ? 0 : 1);
                    trail.saw(item);
                }
            }
        });
        Crew.Trail rest = new Crew.Trail();
        for (Integer item = stack.pop(); item != null; item = stack.pop()) {
            popped.incrementAndGet();
            rest.saw(item);
        }
        System.out.println("8000 pushed, " + popped + " popped, " + stack.retries + " retries");
        System.out.println("rest " + rest.hex() + ", seen " + seen);
    }
}
