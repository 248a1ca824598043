// An immutable list behind an AtomicReference, to which threads prepend: swaps, updates, and exchanges.
// stdout: ^list of [0-9]+, [0-9]+ swaps failed$
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

public class AtomicReferences {
    record Node(int number, int length, Node next) { }

    public static void main(String[] args) throws Exception {
        AtomicReference<Node> head = new AtomicReference<>();
        AtomicInteger failed = new AtomicInteger();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 1500; i++) {
                Node next = head.get();
                Node node = new Node(number, next == null ? 1 : next.length() + 1, next);
                if (!head.compareAndSet(next, node)) {
                    trail.saw(-failed.incrementAndGet());
                    node = head.updateAndGet(h -> new Node(number + 10, h.length() + 1, h));
                }
                trail.saw(node.length());
                if (i % 300 == 200) {
                    Node old = head.getAndSet(new Node(number + 20, 1, null));
                    trail.saw(old.length());
                }
            }
        });
        Crew.Trail list = new Crew.Trail();
        for (Node node = head.get(); node != null; node = node.next()) {
            list.saw(node.number());
        }
        System.out.println("list of " + head.get().length() + ", " + failed + " swaps failed");
        System.out.println(list.hex() + " seen " + seen);
    }
}
