// Queues NUMBER: lock-free queues of JCTools, and its hash table: who got what from whom, in which order.

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jctools.maps.NonBlockingHashMap;
import org.jctools.queues.MpmcArrayQueue;
import org.jctools.queues.MpscArrayQueue;
import org.jctools.queues.MpscChunkedArrayQueue;
import org.jctools.queues.MpscUnboundedArrayQueue;
import org.jctools.queues.SpmcArrayQueue;
import org.jctools.queues.SpscArrayQueue;

public class Queues {
    public static void main(String[] args) throws Exception {
        int number = Integer.parseInt(args[0]);
        hand("mpsc", new MpscArrayQueue<>(256), 3, 1, number);
        hand("chunked", new MpscChunkedArrayQueue<>(16, 1024), 3, 1, number);
        hand("unbounded", new MpscUnboundedArrayQueue<>(64), 3, 1, number);
        hand("mpmc", new MpmcArrayQueue<>(256), 2, 2, number);
        hand("spmc", new SpmcArrayQueue<>(256), 1, 2, number);
        hand("spsc", new SpscArrayQueue<>(128), 1, 1, number);
        share(new NonBlockingHashMap<>(), number);
    }

    private static void hand(String name, Queue<Integer> queue, int producers, int consumers, int number) throws Exception {
        List<List<Integer>> got = new ArrayList<>();
        for (int i = 0; i < consumers; i++) {
            got.add(new ArrayList<>());
        }
        AtomicInteger left = new AtomicInteger(producers * number);
        Crew.together(producers + consumers, worker -> {
            for (int i = 0; worker < producers && i < number; i++) {
                while (!queue.offer(worker * number + i)) {
                    Thread.yield();
                }
            }
            while (worker >= producers && left.get() > 0) {
                Integer next = queue.poll();
                if (next == null) {
                    Thread.yield();
                } else {
                    got.get(worker - producers).add(next);
                    left.decrementAndGet();
                }
            }
        });
        System.out.println(name + " " + got.stream().map(List::size).toList() + " " + Crew.digest(got.toString()));
    }

    /* What each thread found in the places that it wrote to. */
    private static void share(NonBlockingHashMap<Integer, Integer> table, int number) throws Exception {
        long[] seen = new long[4];
        Crew.together(seen.length, worker -> {
            Random random = new Random(worker);
            for (int i = 0; i < number; i++) {
                int key = random.nextInt(500), way = random.nextInt(4), value = worker * number + i;
                Integer found = way == 0 ? table.put(key, value)
                        : way == 1 ? table.remove(key)
                        : way == 2 ? table.get(key) : table.putIfAbsent(key, value);
                seen[worker] = seen[worker] * 31 + (found == null ? -1 : found);
            }
        });
        System.out.println("table of " + table.size() + " " + Arrays.toString(seen));
    }
}
