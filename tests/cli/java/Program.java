import java.io.FileInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.zip.CRC32;

/** What the command-line tests record: one small thing each. */
public class Program {
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "hello" -> System.out.println("hello " + System.nanoTime());
            case "exit" -> {
                System.out.println("leaving");
                System.err.println("leaving, says standard error");
                System.exit(Integer.parseInt(args[1]));
            }
            case "throw" -> throw new IllegalStateException("thrown");
            case "cat" -> System.in.transferTo(System.out);
            case "arguments" -> System.out.println(String.join("|", args));
            case "environment" -> new TreeSet<>(System.getenv().keySet()).forEach(System.out::println);
            case "read" -> System.out.print(Files.readString(Path.of(args[1])));
            case "noise" -> noise(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
            case "run" -> run();
            case "race" -> race();
            case "lost" -> new Counter().lose();
            case "work" -> work(Integer.parseInt(args[1]), "\n");
            case "line" -> work(Integer.parseInt(args[1]), ", ");
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    /** Reads much that does not compress, prints now and then, ends with a status of its own. */
    private static void noise(int blocks, int status) throws Exception {
        CRC32 sum = new CRC32();
        byte[] block = new byte[8192];
        try (InputStream random = new FileInputStream("/dev/urandom")) {
            for (int i = 0; i < blocks; i++) {
                sum.update(block, 0, random.read(block));
                if (i % 50 == 0)
                    System.out.println("block " + i);
            }
        }
        System.out.println("sum " + (sum.getValue() != 0));
        System.exit(status);
    }

    /** Computes for some seconds, also at replay, and prints now and then. */
    private static void work(int rounds, String separator) {
        long number = 1;
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < 100_000_000; i++)
                number = number * 6364136223846793005L + 1442695040888963407L;
            System.out.print("round " + round + " " + System.nanoTime() + separator);
            System.out.flush();
        }
        System.out.println("result " + number);
    }

    /** Runs until it is ended. */
    private static void run() throws Exception {
        for (long i = 0;; i++) {
            System.out.println("line " + i + " " + System.nanoTime());
            if (i == 20)
                System.out.println("ready");
            Thread.sleep(2);
        }
    }

    /** Three threads count in a field of an object; updates get lost. */
    private static final class Counter {
        private final java.util.concurrent.CountDownLatch begun = new java.util.concurrent.CountDownLatch(3);
        private int count;

        void lose() throws InterruptedException {
            Thread[] threads = new Thread[3];
            for (int i = 0; i < threads.length; i++) {
                threads[i] = new Thread(this::add);
                threads[i].start();
            }
            for (Thread thread : threads)
                thread.join();
            System.out.println("count " + count);
        }

        private void add() {
            begun.countDown();
            while (begun.getCount() > 0)
                Thread.yield();
            for (int i = 0; i < 20000; i++) {
                int before = count;
                if (before % 100 == 0)
                    Thread.yield();
                count = before + 1;
            }
        }
    }

    private static int plain;
    private static int named;
    private static volatile int ordered;

    /** Two threads count, in a field that nothing orders, in one that may be named, and in a volatile one. */
    private static void race() throws InterruptedException {
        Thread other = new Thread(Program::count);
        other.start();
        count();
        other.join();
        System.out.println(plain > 0 && named > 0 && ordered > 0);
    }

    private static void count() {
        plain++;
        named++;
        ordered++;
    }
}
