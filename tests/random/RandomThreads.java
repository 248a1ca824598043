// A random program with several threads, all of it from a seed:
//
//   java RandomThreads SEED THREADS STEPS [cold] [OPERATION...]
//
// Each thread does STEPS random operations on what all share: monitors, volatile fields, atomic variables, VarHandles,
// locks, queues, maps, pools, interrupts, threads of its own. It folds what it observes into a hash that depends on
// the order, and now and then the hash decides what it does next: a small difference soon becomes a large one. The
// hashes are printed at the end, by the place of the thread in the tree of threads.
//
// The seed also chooses about half of the operations that there are; OPERATION... chooses them by name instead, which
// is how a failure is made small. Before the threads start, every operation is done once, so that classes are loaded
// and call sites linked by then; with `cold` they are not.
//
// Plain data is only touched under its lock, or before it is published. Every wait has a time limit, and locks that
// are taken without one are taken in the order of their rank: it always ends.
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

public final class RandomThreads extends RandomShared {
    // ---- the operations -----------------------------------------------------------------------

    interface Operation {
        void run(Worker worker) throws InterruptedException;
    }

    record Named(String name, Operation operation) { }

    static final List<Named> ALL = List.of(
        new Named("monitor", Worker::monitor),
        new Named("nested", Worker::nested),
        new Named("method", Worker::synchronizedMethod),
        new Named("wait", Worker::waitTimed),
        new Named("notify", Worker::notifyOthers),
        new Named("volatile", Worker::volatileStatics),
        new Named("field", Worker::volatileFields),
        new Named("publish", Worker::publish),
        new Named("atomic", Worker::atomics),
        new Named("reference", Worker::atomicReferences),
        new Named("handle", Worker::handles),
        new Named("array", Worker::arrayHandles),
        new Named("lock", Worker::lock),
        new Named("tryLock", Worker::tryLock),
        new Named("condition", Worker::condition),
        new Named("readWrite", Worker::readWrite),
        new Named("stamped", Worker::stamped),
        new Named("park", Worker::park),
        new Named("unpark", Worker::unpark),
        new Named("interrupt", Worker::interrupt),
        new Named("start", Worker::start),
        new Named("join", Worker::joinTimed),
        new Named("look", Worker::look),
        new Named("pool", Worker::pool),
        new Named("future", Worker::future),
        new Named("fork", Worker::fork),
        new Named("map", Worker::map),
        new Named("skipList", Worker::skipList),
        new Named("copied", Worker::copied),
        new Named("queue", Worker::queue),
        new Named("blocking", Worker::blocking),
        new Named("handOver", Worker::handOver),
        new Named("synchroniser", Worker::synchroniser),
        new Named("adder", Worker::adder),
        new Named("local", Worker::local),
        new Named("input", Worker::input),
        new Named("pause", Worker::pause),
        new Named("print", Worker::print));

    static Operation[] operations;

    // ---- a thread's side ----------------------------------------------------------------------

    // Random numbers and trail of one thread, or of one task in a pool.
    static final class Worker implements Runnable, Callable<Long> {
        final String path;
        final int number, depth, steps;
        final boolean inPool; // a task, or below one: it may not wait for others of the pool
        final List<Worker> started = new ArrayList<>(); // its threads and tasks, in its order
        final List<Future<Long>> futures = new ArrayList<>();
        Thread thread; // if it has one of its own
        long random, hash;
        int rank; // locks up to here may not be taken now without a time limit

        Worker(String path, int number, int depth, int steps, boolean inPool, long seed) {
            this.path = path;
            this.number = number;
            this.depth = depth;
            this.steps = steps;
            this.inPool = inPool;
            random = seed;
            hash = seed;
        }

        long next() { // splitmix64
            long z = random += 0x9e3779b97f4a7c15L;
            z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
            z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
            return z ^ z >>> 31;
        }

        int below(int bound) {
            return (int) ((next() >>> 1) % bound);
        }

        void saw(long value) {
            hash = Long.rotateLeft(hash ^ value, 23) * 0x2545f4914f6cdd1dL + 11;
            if ((hash >>> 40) % 16 == 0) {
                random ^= hash;
            }
        }

        void saw(boolean value) {
            saw(value ? 3 : 5);
        }

        void saw(Box seen) {
            saw(seen == null ? 9 : seen.sum());
        }

        @Override
        public void run() {
            work();
        }

        @Override
        public Long call() {
            work();
            return hash;
        }

        void work() {
            THREADS.set(Math.floorMod(number, PLACES), Thread.currentThread());
            for (int step = 0; step < steps; step++) {
                step();
            }
            finish();
        }

        void step() {
            try {
                operations[below(operations.length)].run(this);
            } catch (InterruptedException e) {
                saw(-2);
            }
        }

        // Its threads and tasks have ended when it does. Their hashes are read here, after the join.
        void finish() {
            for (Worker worker : started) {
                while (worker.thread != null) {
                    try {
                        worker.thread.join();
                        break;
                    } catch (InterruptedException e) {
                        saw(-3);
                    }
                }
            }
            for (Future<Long> future : futures) {
                while (true) {
                    try {
                        saw(future.get());
                        break;
                    } catch (InterruptedException e) {
                        saw(-4);
                    } catch (ExecutionException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
        }

        // Some steps more, inside of something. Deeper ones come to an end.
        void inside() throws InterruptedException {
            int more = below(3);
            for (int i = 0; i < more; i++) {
                operations[below(operations.length)].run(this);
            }
        }

        // ---- monitors ----

        void monitor() {
            if (rank >= MONITORS) {
                return;
            }
            Guarded guarded = GUARDED[rank + below(MONITORS - rank)];
            synchronized (guarded) {
                guarded.order = guarded.order * 31 + number;
                guarded.cells[below(4)] += 1;
                saw(guarded.order + guarded.cells[0]);
            }
        }

        void nested() throws InterruptedException {
            if (rank >= MONITORS) {
                return;
            }
            int mine = rank + below(MONITORS - rank), before = rank;
            synchronized (GUARDED[mine]) {
                rank = mine + 1;
                try {
                    saw(GUARDED[mine].turn(number));
                    synchronized (GUARDED[mine]) { // once more
                        inside();
                        if (below(4) == 0) {
                            GUARDED[mine].wait(1); // with the outer ones still held
                        }
                    }
                    saw(GUARDED[mine].order);
                } finally {
                    rank = before;
                }
            }
        }

        void synchronizedMethod() {
            if (rank == 0) {
                saw(below(2) == 0 ? classTurn(number) : GUARDED[below(MONITORS)].turn(number));
            }
        }

        void waitTimed() throws InterruptedException {
            if (rank > 0) {
                return;
            }
            Guarded guarded = GUARDED[below(MONITORS)];
            synchronized (guarded) {
                saw(guarded.order);
                if (below(2) == 0) {
                    guarded.wait(1 + below(2));
                } else {
                    guarded.wait(0, 1 + below(500_000));
                }
                guarded.order = guarded.order * 37 + number;
                saw(guarded.order);
            }
        }

        void notifyOthers() {
            if (rank > 0) {
                return;
            }
            Guarded guarded = GUARDED[below(MONITORS)];
            synchronized (guarded) {
                saw(guarded.turn(number + 100));
                if (below(2) == 0) {
                    guarded.notify();
                } else {
                    guarded.notifyAll();
                }
            }
        }

        // ---- volatile fields ----

        void volatileStatics() {
            boolean write = below(2) == 0;
            int value = below(200);
            switch (below(9)) {
                case 0 -> { if (write) aBoolean = value % 2 == 0; else saw(aBoolean); }
                case 1 -> { if (write) aByte = (byte) value; else saw(aByte); }
                case 2 -> { if (write) aChar = (char) value; else saw(aChar); }
                case 3 -> { if (write) aShort = (short) value; else saw(aShort); }
                case 4 -> { if (write) anInt = value; else saw(anInt); }
                case 5 -> { if (write) aLong = value; else saw(aLong); }
                case 6 -> { if (write) aFloat = value; else saw((long) aFloat); }
                case 7 -> { if (write) aDouble = value; else saw((long) aDouble); }
                default -> {
                    anInt++; // not atomic, and no data race: a read, and a write
                    saw(aLong += value);
                }
            }
        }

        void volatileFields() {
            boolean write = below(2) == 0;
            int value = below(200);
            switch (below(9)) {
                case 0 -> { if (write) SHARED.ownBoolean = value % 2 == 0; else saw(SHARED.ownBoolean); }
                case 1 -> { if (write) SHARED.ownByte = (byte) value; else saw(SHARED.ownByte); }
                case 2 -> { if (write) SHARED.ownChar = (char) value; else saw(SHARED.ownChar); }
                case 3 -> { if (write) SHARED.ownShort = (short) value; else saw(SHARED.ownShort); }
                case 4 -> { if (write) SHARED.ownInt = value; else saw(SHARED.ownInt); }
                case 5 -> { if (write) SHARED.ownLong = value; else saw(SHARED.ownLong); }
                case 6 -> { if (write) SHARED.ownFloat = value; else saw((long) SHARED.ownFloat); }
                case 7 -> { if (write) SHARED.ownDouble = value; else saw((long) SHARED.ownDouble); }
                default -> {
                    SHARED.ownInt += value;
                    saw(SHARED.ownLong++);
                }
            }
        }

        void publish() {
            switch (below(4)) {
                case 0 -> box = new Box(next(), box);
                case 1 -> SHARED.ownBox = new Box(next(), box);
                case 2 -> published = new Object[] {number, box.sum()};
                default -> {
                    saw(box);
                    saw(SHARED.ownBox);
                    saw(Arrays.hashCode(published));
                }
            }
        }

        // ---- atomic variables ----

        void atomics() {
            int value = below(100);
            switch (below(14)) {
                case 0 -> saw(COUNT.incrementAndGet());
                case 1 -> saw(COUNT.getAndAdd(value));
                case 2 -> saw(COUNT.compareAndSet(COUNT.get(), value));
                case 3 -> saw(COUNT.updateAndGet(x -> x * 3 + value));
                case 4 -> saw(TOTAL.getAndIncrement());
                case 5 -> saw(TOTAL.addAndGet(value));
                case 6 -> saw(TOTAL.getAndSet(value));
                case 7 -> saw(TOTAL.accumulateAndGet(value, Long::max));
                case 8 -> saw(FLAG.getAndSet(value % 2 == 0));
                case 9 -> saw(FLAG.compareAndSet(true, false));
                case 10 -> saw(CELLS.getAndAdd(value & 3, 1));
                case 11 -> saw(CELLS.weakCompareAndSetVolatile(1, CELLS.get(1), value));
                case 12 -> saw(UPDATER.getAndAdd(SHARED, value));
                default -> COUNT.lazySet(value);
            }
        }

        void atomicReferences() {
            switch (below(6)) {
                case 0 -> saw(HEAD.getAndSet(new Box(next(), null)));
                case 1 -> {
                    Box head = HEAD.get();
                    saw(HEAD.compareAndSet(head, new Box(number, head)));
                }
                case 2 -> saw(HEAD.get());
                case 3 -> saw(HEAD.updateAndGet(head -> new Box(head == null ? 1 : head.value + 1, head)));
                case 4 -> {
                    int[] stamp = new int[1];
                    Box seen = STAMP.get(stamp);
                    saw(stamp[0]);
                    saw(STAMP.compareAndSet(seen, new Box(number, seen), stamp[0], stamp[0] + 1));
                }
                default -> saw(HEAD.compareAndExchange(null, new Box(4, null)));
            }
        }

        void handles() {
            int value = below(100);
            switch (below(22)) {
                case 0 -> HANDLED.setVolatile(SHARED, value);
                case 1 -> saw((int) HANDLED.getVolatile(SHARED));
                case 2 -> HANDLED.setRelease(SHARED, value);
                case 3 -> saw((int) HANDLED.getAcquire(SHARED));
                case 4 -> HANDLED.setOpaque(SHARED, value);
                case 5 -> saw((int) HANDLED.getOpaque(SHARED));
                case 6 -> saw(HANDLED.compareAndSet(SHARED, (int) HANDLED.getVolatile(SHARED), value));
                case 7 -> saw((int) HANDLED.compareAndExchange(SHARED, value, value + 1));
                case 8 -> saw((int) HANDLED.getAndAdd(SHARED, value));
                case 9 -> saw((int) HANDLED.getAndSetAcquire(SHARED, value));
                case 10 -> saw((int) HANDLED.getAndBitwiseOr(SHARED, value));
                case 11 -> saw((long) HANDLED_LONG.getAndAddRelease(SHARED, (long) value));
                case 12 -> saw((long) HANDLED_LONG.getAndBitwiseXor(SHARED, (long) value));
                case 13 -> saw(HANDLED_LONG.weakCompareAndSetPlain(SHARED, (long) value, 1L));
                case 14 -> saw((long) HANDLED_LONG.compareAndExchangeAcquire(SHARED, 1L, (long) value));
                case 15 -> HANDLED_BOX.setRelease(SHARED, new Box(value, null));
                case 16 -> saw((Box) HANDLED_BOX.getAcquire(SHARED));
                case 17 -> saw((Box) HANDLED_BOX.getAndSet(SHARED, new Box(next(), null)));
                case 18 -> saw(HANDLED_BOX.weakCompareAndSet(SHARED, (Box) HANDLED_BOX.getVolatile(SHARED), null));
                case 19 -> saw((boolean) HANDLED_BOOLEAN.getAndSet(SHARED, value % 2 == 0));
                case 20 -> saw((int) VOLATILE_INT.getAndAdd(value));
                default -> saw((boolean) HANDLED_BOOLEAN.getAndBitwiseXor(SHARED, true));
            }
        }

        void arrayHandles() {
            int value = below(100), at = below(4);
            switch (below(14)) {
                case 0 -> INT_CELL.setVolatile(INTS, at, value);
                case 1 -> saw((int) INT_CELL.getVolatile(INTS, at));
                case 2 -> saw((int) INT_CELL.getAndAdd(INTS, at, value));
                case 3 -> saw(INT_CELL.compareAndSet(INTS, at, value, value + 1));
                case 4 -> LONG_CELL.setRelease(LONGS, at, (long) value);
                case 5 -> saw((long) LONG_CELL.getAcquire(LONGS, at));
                case 6 -> saw((long) LONG_CELL.getAndSet(LONGS, at, (long) value));
                case 7 -> saw((byte) BYTE_CELL.getAndAdd(BYTES, at, (byte) value));
                case 8 -> saw(BYTE_CELL.compareAndSet(BYTES, at, (byte) BYTE_CELL.getVolatile(BYTES, at), (byte) value));
                case 9 -> BYTE_CELL.setOpaque(BYTES, at, (byte) value);
                case 10 -> BOX_CELL.setVolatile(BOXES, at, new Box(value, null));
                case 11 -> saw((Box) BOX_CELL.getAcquire(BOXES, at));
                case 12 -> saw((Box) BOX_CELL.getAndSet(BOXES, at, new Box(next(), null)));
                default -> saw(BOX_CELL.compareAndSet(BOXES, at, (Box) BOX_CELL.getOpaque(BOXES, at), null));
            }
        }

        // ---- locks ----

        // Ranks of locks come after those of monitors.
        void lock() throws InterruptedException {
            int from = Math.max(0, rank - MONITORS);
            if (from >= LOCKS) {
                return;
            }
            int mine = from + below(LOCKS - from), before = rank;
            if (below(4) == 0) {
                LOCK[mine].lockInterruptibly();
            } else {
                LOCK[mine].lock();
            }
            rank = MONITORS + mine + 1;
            try {
                saw(UNDER_LOCK[mine] = UNDER_LOCK[mine] * 31 + number);
                inside();
                saw(UNDER_LOCK[mine]);
            } finally {
                rank = before;
                LOCK[mine].unlock();
            }
        }

        void tryLock() throws InterruptedException {
            int mine = below(LOCKS);
            boolean got = below(2) == 0 ? LOCK[mine].tryLock() : LOCK[mine].tryLock(below(300), TimeUnit.MICROSECONDS);
            saw(got);
            if (got) {
                int before = rank;
                rank = MONITORS + LOCKS; // what is inside waits for none
                try {
                    saw(UNDER_LOCK[mine] = UNDER_LOCK[mine] * 33 + number);
                    if (before < rank) {
                        inside();
                    }
                } finally {
                    rank = before;
                    LOCK[mine].unlock();
                }
            } else {
                saw(LOCK[mine].isLocked());
            }
        }

        void condition() throws InterruptedException {
            int mine = below(LOCKS);
            if (rank > 0) {
                return;
            }
            LOCK[mine].lock();
            try {
                saw(UNDER_LOCK[mine] = UNDER_LOCK[mine] * 35 + number);
                switch (below(4)) {
                    case 0 -> CONDITION[mine].signal();
                    case 1 -> CONDITION[mine].signalAll();
                    case 2 -> saw(CONDITION[mine].await(1, TimeUnit.MILLISECONDS));
                    default -> saw(CONDITION[mine].awaitNanos(200_000) > 0);
                }
                saw(UNDER_LOCK[mine]);
            } finally {
                LOCK[mine].unlock();
            }
        }

        void readWrite() throws InterruptedException {
            if (below(3) == 0) {
                if (READ_WRITE.writeLock().tryLock(200, TimeUnit.MICROSECONDS)) {
                    try {
                        saw(underReadWrite = underReadWrite * 31 + number);
                    } finally {
                        READ_WRITE.writeLock().unlock();
                    }
                } else {
                    saw(-5);
                }
            } else if (READ_WRITE.readLock().tryLock()) {
                try {
                    saw(underReadWrite);
                } finally {
                    READ_WRITE.readLock().unlock();
                }
            } else {
                saw(-6);
            }
        }

        void stamped() {
            switch (below(3)) {
                case 0 -> {
                    long stamp = STAMPED.tryWriteLock();
                    saw(stamp != 0);
                    if (stamp != 0) {
                        stampedA += number;
                        stampedB += number;
                        STAMPED.unlockWrite(stamp);
                    }
                }
                case 1 -> {
                    long stamp = STAMPED.tryOptimisticRead(), a = stampedA, b = stampedB;
                    boolean valid = STAMPED.validate(stamp);
                    saw(valid);
                    saw(a - b);
                }
                default -> {
                    long stamp = STAMPED.tryReadLock();
                    saw(stamp != 0);
                    if (stamp != 0) {
                        saw(stampedA * 31 + stampedB);
                        STAMPED.unlockRead(stamp);
                    }
                }
            }
        }

        // ---- threads ----

        void park() {
            LockSupport.parkNanos(this, 1 + below(300_000));
            saw(COUNT.get());
        }

        Thread somebody() {
            return THREADS.get(below(PLACES));
        }

        void unpark() {
            LockSupport.unpark(somebody());
        }

        void interrupt() {
            if (below(3) == 0) {
                saw(Thread.interrupted());
                return;
            }
            Thread other = somebody();
            saw(other != null);
            if (other != null) {
                other.interrupt();
                saw(other.isInterrupted());
            }
        }

        Worker child(int most, boolean task) {
            int of = started.size() + 1;
            Worker child = new Worker(path + "." + of, number * 7 + of, depth + 1, 1 + below(most), task, next());
            started.add(child);
            return child;
        }

        void start() {
            if (depth >= 3 || started.size() >= 6 || STARTED.getAndIncrement() >= 24) {
                return;
            }
            Worker child = child(Math.max(2, steps / 2), inPool);
            child.thread = new Thread(child, "worker-" + child.path);
            child.thread.start();
        }

        void joinTimed() throws InterruptedException {
            for (Worker worker : started) {
                if (worker.thread != null) {
                    worker.thread.join(1);
                    saw(worker.thread.isAlive());
                    return;
                }
            }
            Thread other = somebody();
            if (other != null) {
                other.join(0, 1 + below(900_000));
                saw(other.isAlive());
            }
        }

        void look() {
            Thread other = somebody();
            if (other != null) {
                saw(other.isAlive());
                saw(other.getState() == Thread.State.TERMINATED);
                saw(other.isInterrupted());
            }
        }

        // ---- pools ----

        void pool() throws InterruptedException {
            if (inPool || depth >= 3 || futures.size() >= 8) {
                return;
            }
            Worker task = child(6, true);
            Future<Long> future = pool.submit((Callable<Long>) task);
            futures.add(future);
            if (below(2) == 0) {
                try {
                    saw(future.get(below(1500), TimeUnit.MICROSECONDS));
                } catch (TimeoutException e) {
                    saw(-7);
                } catch (ExecutionException e) {
                    throw new IllegalStateException(e);
                }
            } else {
                saw(future.isDone());
            }
        }

        void future() throws InterruptedException {
            int value = below(100);
            CompletableFuture<Integer> one = CompletableFuture.supplyAsync(() -> COUNT.addAndGet(value), pool);
            CompletableFuture<Integer> other = CompletableFuture.supplyAsync(() -> COUNT.getAndIncrement(), pool);
            CompletableFuture<Long> both = one.thenCombine(other, (a, b) -> a * 31L + b);
            try {
                saw(both.get(1, TimeUnit.MILLISECONDS));
            } catch (TimeoutException e) {
                saw(-8);
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }

        void fork() throws InterruptedException {
            if (rank > 0) {
                return;
            }
            Future<Long> task = forks.submit(new Sum(1 + below(24)));
            try {
                saw(task.get(2, TimeUnit.MILLISECONDS));
            } catch (TimeoutException e) {
                saw(-9);
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }

        // ---- collections ----

        void map() {
            int key = below(6);
            switch (below(8)) {
                case 0 -> saw(MAP.merge(key, (long) number, (a, b) -> a * 31 + b));
                case 1 -> saw(MAP.compute(key, (k, v) -> v == null ? k : v * 33 + number));
                case 2 -> saw(MAP.computeIfAbsent(key, k -> k * 3L + number));
                case 3 -> saw(MAP.putIfAbsent(key, 1L) == null);
                case 4 -> saw(MAP.remove(key) == null);
                case 5 -> saw(MAP.getOrDefault(key, -1L));
                case 6 -> MAP.put(key + below(200), (long) key);
                default -> {
                    for (Map.Entry<Integer, Long> entry : MAP.entrySet()) {
                        saw(entry.getKey() * 31 + entry.getValue());
                    }
                }
            }
        }

        void skipList() {
            int key = below(12);
            switch (below(5)) {
                case 0 -> saw(SKIP_LIST.merge(key, (long) number, (a, b) -> a * 31 + b));
                case 1 -> saw(SKIP_LIST.remove(key) == null);
                case 2 -> SKIP_LIST.put(key, (long) number);
                case 3 -> {
                    Map.Entry<Integer, Long> entry = SKIP_LIST.ceilingEntry(key);
                    saw(entry == null ? -1 : entry.getKey() * 31 + entry.getValue());
                }
                default -> {
                    Map.Entry<Integer, Long> entry = SKIP_LIST.pollFirstEntry();
                    saw(entry == null ? -1 : entry.getValue());
                }
            }
        }

        void copied() {
            switch (below(3)) {
                case 0 -> {
                    if (COPIED.size() < 20) {
                        COPIED.add(number);
                    } else {
                        COPIED.clear();
                    }
                }
                case 1 -> saw(COPIED.hashCode());
                default -> saw(COPIED.remove((Integer) number));
            }
        }

        void queue() {
            if (below(2) == 0) {
                LINKED.add(next() >>> 50);
            } else {
                Long got = LINKED.poll();
                saw(got == null ? -1 : got);
            }
        }

        void blocking() throws InterruptedException {
            Long got = -2L;
            switch (below(6)) {
                case 0 -> saw(BOUNDED.offer((long) number, 200, TimeUnit.MICROSECONDS));
                case 1 -> saw(BOUNDED.offer((long) number));
                case 2 -> got = BOUNDED.poll(300, TimeUnit.MICROSECONDS);
                case 3 -> saw(BLOCKING.offer((long) number));
                case 4 -> got = BLOCKING.poll(300, TimeUnit.MICROSECONDS);
                default -> got = BLOCKING.peek();
            }
            saw(got == null ? -1 : got);
        }

        void handOver() throws InterruptedException {
            Long got = -2L;
            switch (below(3)) {
                case 0 -> saw(HAND_OVER.offer((long) number, 300, TimeUnit.MICROSECONDS));
                case 1 -> got = HAND_OVER.poll(300, TimeUnit.MICROSECONDS);
                default -> {
                    try {
                        got = EXCHANGER.exchange((long) number, 300, TimeUnit.MICROSECONDS);
                    } catch (TimeoutException e) {
                        saw(-10);
                    }
                }
            }
            saw(got == null ? -1 : got);
        }

        void synchroniser() throws InterruptedException {
            switch (below(3)) {
                case 0 -> {
                    boolean got = PERMITS.tryAcquire(200, TimeUnit.MICROSECONDS);
                    saw(got);
                    if (got) {
                        saw(PERMITS.availablePermits());
                        PERMITS.release();
                    }
                }
                case 1 -> {
                    CountDownLatch latch = LATCH.get();
                    latch.countDown();
                    if (latch.await(300, TimeUnit.MICROSECONDS)) {
                        saw(LATCH.compareAndSet(latch, new CountDownLatch(3)));
                    }
                    saw(latch.getCount());
                }
                default -> {
                    CyclicBarrier barrier = BARRIER.get();
                    try {
                        saw(barrier.await(500, TimeUnit.MICROSECONDS));
                    } catch (BrokenBarrierException | TimeoutException e) {
                        saw(BARRIER.compareAndSet(barrier, new CyclicBarrier(2)));
                    }
                }
            }
        }

        // ---- the rest ----

        void adder() {
            switch (below(4)) {
                case 0 -> ADDER.add(number);
                case 1 -> saw(ADDER.sum());
                case 2 -> ACCUMULATOR.accumulate(next() >>> 20);
                default -> saw(ACCUMULATOR.get());
            }
        }

        // Threads of a pool have their locals from task to task.
        void local() {
            LOCAL.set(LOCAL.get() * 31 + number);
            saw(LOCAL.get());
            if (below(16) == 0) {
                LOCAL.remove();
            }
        }

        void input() {
            switch (below(3)) {
                case 0 -> saw(System.nanoTime());
                case 1 -> saw(System.currentTimeMillis());
                default -> saw(new Object().hashCode());
            }
        }

        void pause() throws InterruptedException {
            switch (below(8)) {
                case 0 -> Thread.sleep(1);
                case 1 -> Thread.sleep(0, 1 + below(200_000));
                case 2, 3 -> {
                    for (int i = 0; i < 50; i++) {
                        Thread.onSpinWait();
                    }
                }
                default -> Thread.yield();
            }
        }

        void print() {
            if (below(8) == 0) {
                System.out.println(path + " " + Long.toHexString(hash));
            }
        }

        // What it and all below it observed.
        void report(StringBuilder into) {
            into.append(path).append(' ').append(Long.toHexString(hash)).append('\n');
            for (Worker worker : started) {
                worker.report(into);
            }
        }
    }

    // A tree of tasks, whose leaves take a turn.
    static final class Sum extends RecursiveTask<Long> {
        private static final long serialVersionUID = 1;
        private final int size;

        Sum(int size) {
            this.size = size;
        }

        @Override
        protected Long compute() {
            if (size < 4) {
                return TOTAL.addAndGet(size);
            }
            Sum left = new Sum(size / 2), right = new Sum(size - size / 2);
            left.fork();
            long sum = right.compute();
            return sum * 31 + left.join();
        }
    }

    // ---- the program --------------------------------------------------------------------------

    // About half of the operations; never so few that nothing would meet.
    static List<Named> choose(Worker random, List<String> names) {
        List<Named> chosen = new ArrayList<>();
        for (Named named : ALL) {
            boolean wanted = names.isEmpty() ? random.below(2) == 0 : names.contains(named.name);
            if (wanted) {
                chosen.add(named);
            }
        }
        return chosen.size() < 4 && names.isEmpty() ? ALL : chosen;
    }

    public static void main(String[] args) throws InterruptedException {
        long seed = Long.parseLong(args[0]);
        int threads = Integer.parseInt(args[1]), steps = Integer.parseInt(args[2]);
        boolean cold = args.length > 3 && args[3].equals("cold");
        List<String> names = Arrays.asList(args).subList(cold ? 4 : 3, args.length);
        Worker random = new Worker("seed", 0, 0, 0, false, seed);
        List<Named> chosen = choose(random, names);
        StringBuilder text = new StringBuilder();
        for (Named named : chosen) {
            text.append(' ').append(named.name);
        }
        System.out.println(threads + " threads, " + steps + " steps:" + text);

        pool = Executors.newFixedThreadPool(1 + random.below(3));
        forks = new ForkJoinPool(2);
        operations = chosen.stream().map(Named::operation).toArray(Operation[]::new);
        if (!cold) {
            // As deep as this it starts no threads, which would come upon new classes together with it.
            Worker first = new Worker("first", 1, 3, 0, false, seed);
            for (Operation operation : operations) {
                for (int i = 0; i < 60; i++) {
                    try {
                        operation.run(first);
                    } catch (InterruptedException e) {
                        first.saw(1);
                    }
                }
            }
            first.finish();
            System.out.println("first " + Long.toHexString(first.hash));
        }

        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Worker worker = new Worker(Integer.toString(i), i, 0, steps, false, random.next());
            worker.thread = new Thread(worker, "worker-" + i);
            workers.add(worker);
        }
        for (Worker worker : workers) {
            worker.thread.start();
        }
        for (Worker worker : workers) {
            worker.thread.join();
        }
        pool.shutdown();
        forks.shutdown();
        StringBuilder report = new StringBuilder();
        for (Worker worker : workers) {
            worker.report(report);
        }
        for (Guarded guarded : GUARDED) {
            synchronized (guarded) {
                report.append("monitor ").append(Long.toHexString(guarded.order)).append('\n');
            }
        }
        System.out.print(report);
    }
}
