// What the threads of RandomThreads share. Plain data here is only touched under its lock, or before it is published.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicStampedReference;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

class RandomShared {
    // Its plain fields are written before it is published, and never after.
    static final class Box {
        final long value;
        int plain;
        Box next;

        Box(long value, Box next) {
            this.value = value;
            plain = (int) (value * 31);
            this.next = next == null || next.plain % 8 == 0 ? null : next; // short chains
        }

        long sum() {
            return value + plain + (next == null ? 7 : next.value * 31 + next.plain);
        }
    }

    // A monitor, and plain data that only its owner touches.
    static final class Guarded {
        long order;
        final int[] cells = new int[4];

        synchronized long turn(long by) {
            order = order * 31 + by;
            cells[(int) (by & 3)]++;
            return order + cells[1];
        }
    }

    static final int MONITORS = 4, LOCKS = 3, PLACES = 32;
    static final Guarded[] GUARDED = new Guarded[MONITORS];
    static final ReentrantLock[] LOCK = new ReentrantLock[LOCKS];
    static final Condition[] CONDITION = new Condition[LOCKS];
    static final long[] UNDER_LOCK = new long[LOCKS];
    static final ReentrantReadWriteLock READ_WRITE = new ReentrantReadWriteLock();
    static long underReadWrite;
    static final StampedLock STAMPED = new StampedLock();
    static volatile long stampedA, stampedB;
    static long classOrder; // of the class's own monitor

    static {
        for (int i = 0; i < MONITORS; i++) {
            GUARDED[i] = new Guarded();
        }
        for (int i = 0; i < LOCKS; i++) {
            LOCK[i] = new ReentrantLock(i == 2);
            CONDITION[i] = LOCK[i].newCondition();
        }
    }

    static volatile boolean aBoolean;
    static volatile byte aByte;
    static volatile char aChar;
    static volatile short aShort;
    static volatile int anInt;
    static volatile long aLong;
    static volatile float aFloat;
    static volatile double aDouble;
    static volatile Box box = new Box(1, null);
    static volatile Object[] published = {1, "two"};

    volatile boolean ownBoolean;
    volatile byte ownByte;
    volatile char ownChar;
    volatile short ownShort;
    volatile int ownInt;
    volatile long ownLong;
    volatile float ownFloat;
    volatile double ownDouble;
    volatile Box ownBox = new Box(2, null);
    volatile long updated;
    int handled; // through VarHandles only, as the next three and the arrays
    long handledLong;
    Box handledBox = new Box(3, null);
    boolean handledBoolean;

    static final RandomShared SHARED = new RandomShared();
    static final int[] INTS = new int[4];
    static final long[] LONGS = new long[4];
    static final byte[] BYTES = new byte[8];
    static final Box[] BOXES = new Box[4];

    static final AtomicInteger COUNT = new AtomicInteger();
    static final AtomicLong TOTAL = new AtomicLong();
    static final AtomicBoolean FLAG = new AtomicBoolean();
    static final AtomicReference<Box> HEAD = new AtomicReference<>();
    static final AtomicIntegerArray CELLS = new AtomicIntegerArray(4);
    static final AtomicStampedReference<Box> STAMP = new AtomicStampedReference<>(null, 0);
    static final AtomicLongFieldUpdater<RandomShared> UPDATER =
        AtomicLongFieldUpdater.newUpdater(RandomShared.class, "updated");
    static final LongAdder ADDER = new LongAdder();
    static final LongAccumulator ACCUMULATOR = new LongAccumulator(Long::max, 0);

    static final ConcurrentHashMap<Integer, Long> MAP = new ConcurrentHashMap<>();
    static final ConcurrentSkipListMap<Integer, Long> SKIP_LIST = new ConcurrentSkipListMap<>();
    static final CopyOnWriteArrayList<Integer> COPIED = new CopyOnWriteArrayList<>();
    static final ConcurrentLinkedQueue<Long> LINKED = new ConcurrentLinkedQueue<>();
    static final ArrayBlockingQueue<Long> BOUNDED = new ArrayBlockingQueue<>(3);
    static final LinkedBlockingQueue<Long> BLOCKING = new LinkedBlockingQueue<>(5);
    static final SynchronousQueue<Long> HAND_OVER = new SynchronousQueue<>();
    static final Exchanger<Long> EXCHANGER = new Exchanger<>();
    static final Semaphore PERMITS = new Semaphore(2);
    static final AtomicReference<CountDownLatch> LATCH = new AtomicReference<>(new CountDownLatch(3));
    static final AtomicReference<CyclicBarrier> BARRIER = new AtomicReference<>(new CyclicBarrier(2));
    static final ThreadLocal<Long> LOCAL = ThreadLocal.withInitial(() -> 5L);

    static final AtomicReferenceArray<Thread> THREADS = new AtomicReferenceArray<>(PLACES); // whom to disturb
    static final AtomicInteger STARTED = new AtomicInteger(); // bounds the threads that threads start
    static ExecutorService pool;
    static ForkJoinPool forks;

    static final VarHandle HANDLED, HANDLED_LONG, HANDLED_BOX, HANDLED_BOOLEAN, VOLATILE_INT;
    static final VarHandle INT_CELL = MethodHandles.arrayElementVarHandle(int[].class);
    static final VarHandle LONG_CELL = MethodHandles.arrayElementVarHandle(long[].class);
    static final VarHandle BYTE_CELL = MethodHandles.arrayElementVarHandle(byte[].class);
    static final VarHandle BOX_CELL = MethodHandles.arrayElementVarHandle(Box[].class);

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HANDLED = lookup.findVarHandle(RandomShared.class, "handled", int.class);
            HANDLED_LONG = lookup.findVarHandle(RandomShared.class, "handledLong", long.class);
            HANDLED_BOX = lookup.findVarHandle(RandomShared.class, "handledBox", Box.class);
            HANDLED_BOOLEAN = lookup.findVarHandle(RandomShared.class, "handledBoolean", boolean.class);
            VOLATILE_INT = lookup.findStaticVarHandle(RandomShared.class, "anInt", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static synchronized long classTurn(long by) {
        classOrder = classOrder * 33 + by;
        return classOrder;
    }
}
