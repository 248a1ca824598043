// A list from which nodes are removed by marking their links, as in Harris' list: who marks a node removes it.
// stdout: ^800 nodes, each removed once$
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicMarkableReference;

public class AtomicMarkable {
    static class Node {
        final int number;
        final AtomicMarkableReference<Node> next;

        Node(int number, Node next) {
            this.number = number;
            this.next = new AtomicMarkableReference<>(next, false);
        }
    }

    public static void main(String[] args) throws Exception {
        Node first = null;
        for (int i = 800; i > 0; i--) {
            first = new Node(i, first);
        }
        Node head = new Node(0, first);
        AtomicInteger removed = new AtomicInteger();
        String seen = Crew.run(4, (number, trail) -> {
            boolean[] marked = new boolean[1];
            for (int round = 1; round <= 5; round++) {
                Node before = head;
                for (Node node = head.next.getReference(); node != null; ) {
                    Node after = node.next.get(marked);
                    if (!marked[0] && (node.number + number) % 5 < round
                            && node.next.compareAndSet(after, after, false, true)) {
                        trail.saw(removed.incrementAndGet() * 1000 + node.number);
                    }
                    if (node.next.isMarked()) {
                        trail.saw(before.next.compareAndSet(node, after, false, false));
                    } else {
                        before = node;
                    }
                    node = after;
                }
            }
        });
        System.out.println(removed + " nodes, each removed once");
        System.out.println("seen " + seen);
    }
}
