// Natives: four threads call libc by JNA: memory that they hand to each other, callbacks, structures, files, the clock.
//   Natives ROUNDS
// The first round is one thread's: JNA keeps what it knows of functions in a table that it looks at without a lock.

import com.sun.jna.Callback;
import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import com.sun.jna.ptr.LongByReference;
import java.util.concurrent.ConcurrentLinkedQueue;

public class Natives {
    public interface Order extends Callback {
        int compare(Pointer a, Pointer b);
    }

    @Structure.FieldOrder({"seconds", "nanos"})
    public static class Time extends Structure {
        public long seconds;
        public long nanos;
    }

    public interface C extends Library {
        int getpid();

        int clock_gettime(int clock, Time time);

        void qsort(Pointer base, long count, long size, Order order);

        long time(LongByReference at);

        int open(String path, int flags);

        long read(int file, Pointer to, long size);

        int close(int file);
    }

    private static final C LIBC = Native.load("c", C.class);
    private static final ConcurrentLinkedQueue<Memory> SPARE = new ConcurrentLinkedQueue<>();

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        System.out.println("process " + LIBC.getpid() + " at " + LIBC.time(null));
        System.out.println("first " + work(9, 1));
        long[] seen = new long[4];
        Thread[] threads = new Thread[seen.length];
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            threads[i] = new Thread(() -> seen[number] = work(number, rounds));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        for (long one : seen) {
            System.out.println("saw " + Long.toHexString(one));
        }
        System.out.println("left " + SPARE.size());
    }

    private static long work(int number, int rounds) {
        long seen = number;
        for (int i = 0; i < rounds; i++) {
            Memory found = SPARE.poll();
            Memory memory = found == null ? new Memory(64 + i % 7 * 8) : found;
            seen = seen * 31 + Pointer.nativeValue(memory) + memory.size();
            int count = (int) memory.size() / 4;
            for (int k = 0; k < count; k++) {
                memory.setInt(k * 4L, (k * 7 + i) % 13);
            }
            LIBC.qsort(memory, count, 4, (a, b) -> Integer.compare(a.getInt(0), b.getInt(0)));
            Time time = new Time();
            LIBC.clock_gettime(1, time);
            seen = seen * 31 + memory.getInt(8) + time.nanos;
            int file = LIBC.open("/proc/self/stat", 0);
            seen = seen * 31 + LIBC.read(file, memory, 16) + memory.getInt(4);
            LIBC.close(file);
            if (i % 3 != 0) {
                SPARE.add(memory);
            }
        }
        return seen;
    }
}
