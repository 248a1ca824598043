// Threads that put together one heap, each under a lock of another kind: who is where in it is a matter of their order.
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.ReentrantLock;

public class HeapThreads {
    static class Node {
        final int owner, number;
        Node before, after;

        Node(int owner, int number, Node before) {
            this.owner = owner;
            this.number = number;
            this.before = before;
        }
    }

    static final Object LOCK = new Object();
    static final ReentrantLock FAIR = new ReentrantLock(true);
    static final Map<Integer, Node> LATEST = new ConcurrentHashMap<>();
    static final AtomicReference<Node> TOP = new AtomicReference<>();
    static final LongAdder ADDED = new LongAdder();
    static final Map<Object, Integer> HASHED = Collections.synchronizedMap(new HashMap<>());
    static final List<Future<Node>> RESULTS = new ArrayList<>();
    static Node first, last;
    static Node[] fair = new Node[1000];
    static int fairCount;

    static Node work(int owner) {
        Node mine = null;
        for (int i = 0; i < 500; i++) {
            synchronized (LOCK) {
                mine = new Node(owner, i, last);
                if (last == null) {
                    first = mine;
                } else {
                    last.after = mine;
                }
                last = mine;
            }
            FAIR.lock();
            fair[fairCount++ % fair.length] = mine;
            FAIR.unlock();
            LATEST.merge(i % 50, mine, (old, now) -> old.owner < now.owner ? old : now);
            Node added = mine;
            TOP.updateAndGet(top -> new Node(owner, added.number, top));
            ADDED.add(i);
            if (i % 20 == 0) {
                HASHED.put(new Object(), owner);
                Thread.yield();
            }
        }
        return mine;
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        for (int i = 0; i < 4; i++) {
            int owner = i;
            RESULTS.add(pool.submit(() -> work(owner)));
        }
        for (Future<Node> result : RESULTS) {
            result.get();
        }
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
        System.out.println("done");
    }
}
