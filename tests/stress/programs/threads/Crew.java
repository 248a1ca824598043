// What the drivers share: threads that take numbers from a counter, and digests.

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

final class Crew {
    interface Work {
        void run(int worker) throws Exception;
    }

    interface Task {
        void run(int worker, int number) throws Exception;
    }

    /** One thread a worker; returns when all have ended, and throws what the first of them threw. */
    static void together(int workers, Work work) throws Exception {
        AtomicReference<Exception> failure = new AtomicReference<>();
        Thread[] threads = new Thread[workers];
        for (int i = 0; i < workers; i++) {
            int worker = i;
            threads[i] = new Thread(() -> {
                try {
                    work.run(worker);
                } catch (Exception e) {
                    failure.compareAndSet(null, e);
                }
            }, "worker " + i);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw failure.get();
        }
    }

    /** Whoever is free takes the next number. Returns who took which: that is the schedule. */
    static String share(int workers, int numbers, Task task) throws Exception {
        AtomicInteger next = new AtomicInteger();
        int[] taken = new int[numbers];
        together(workers, worker -> {
            for (int number; (number = next.getAndIncrement()) < numbers;) {
                taken[number] = worker;
                task.run(worker, number);
            }
        });
        int[] shares = new int[workers];
        for (int worker : taken) {
            shares[worker]++;
        }
        return Arrays.toString(shares) + " " + digest(Arrays.toString(taken));
    }

    static String digest(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 8);
    }

    static String digest(String text) throws Exception {
        return digest(text.getBytes(StandardCharsets.UTF_8));
    }
}
