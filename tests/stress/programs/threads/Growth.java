// Growth THREADS OPERATIONS: the same work, whatever the number of threads: each operation synchronises in one of six
// ways, chosen by its number, and then computes a little.

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class Growth {
    private static final Object lock = new Object();
    private static final AtomicLong shared = new AtomicLong();
    private static final ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
    private static final ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1024);
    private static long history;
    private static volatile int published;

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]), operations = Integer.parseInt(args[1]);
        long[] results = new long[threads];
        Crew.together(threads, worker -> results[worker] = new Worker(worker).work(operations / threads));
        long sum = 0;
        for (long result : results) {
            sum += result;
        }
        System.out.println("map " + map.values().stream().mapToInt(Integer::intValue).sum() + " shared " + shared);
        System.out.println("history " + Long.toHexString(history) + " seen " + Long.toHexString(sum));
    }

    private static final class Worker {
        private final int number;
        private final Object own = new Object();
        private final AtomicInteger count = new AtomicInteger();
        private long seen;

        Worker(int number) {
            this.number = number;
        }

        long work(int operations) {
            for (int i = 0; i < operations; i++) {
                switch (i % 8) {
                    case 0 -> contend();
                    case 1, 2 -> alone();
                    case 3 -> seen = seen * 31 + shared.getAndIncrement();
                    case 4 -> seen += count.incrementAndGet();
                    case 5 -> map.merge(i & 1023, 1, Integer::sum);
                    case 6 -> hand(i);
                    default -> look(i);
                }
                compute(i);
            }
            return seen;
        }

        private void contend() {
            synchronized (lock) {
                history = history * 31 + number;
            }
        }

        private void alone() {
            synchronized (own) {
                seen++;
            }
        }

        private void hand(int i) {
            Integer got = (i & 8) == 0 ? null : queue.poll();
            if (got == null)
                queue.offer(number);
            else
                seen = seen * 31 + got;
        }

        private void look(int i) {
            seen += published;
            if (i % 512 == 7)
                published = number;
        }

        /** Some 200 ns. */
        private void compute(int i) {
            long x = seen ^ i;
            for (int k = 0; k < 100; k++) {
                x ^= x << 13;
                x ^= x >>> 7;
                x ^= x << 17;
            }
            if (x == 0)
                seen++;
        }
    }
}
