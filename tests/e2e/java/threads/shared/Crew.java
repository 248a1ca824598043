// The threads of a program: all do the same work, and each notes what it observes in a trail of its own.
// It has them wait for each other at the start, and join at the end; what orders them between is in the program.
import java.util.concurrent.locks.LockSupport;

public final class Crew {
    public interface Work {
        void run(int number, Trail trail) throws Exception;
    }

    // What one thread observed, in the order in which it did. Nobody else looks before the join.
    public static final class Trail {
        private long hash;

        Trail(int number) {
            hash = number;
        }

        public Trail() {
            this(17);
        }

        // Cores are few, and the work is short: a thread that did not yield or nap now and then would do all of its
        // own in one go. When it does depends on what it saw, so a small difference soon becomes a large one.
        public void saw(long value) {
            hash = hash * 1_000_003 + value;
            long mixed = hash ^ hash >>> 11;
            if (mixed % 256 == 0) {
                LockSupport.parkNanos(1000); // unlike a sleep, it leaves interrupts alone
            } else if (mixed % 32 == 0) {
                Thread.yield();
            }
        }

        public void saw(boolean value) {
            saw(value ? 1 : 2);
        }

        public void saw(Object value) {
            saw(String.valueOf(value).hashCode());
        }

        public String hex() {
            return Long.toHexString(hash);
        }
    }

    // Lets nobody through before everybody is there.
    private static final class Gate {
        private int missing;

        Gate(int size) {
            missing = size;
        }

        synchronized void pass() throws InterruptedException {
            if (--missing == 0) {
                notifyAll();
            }
            while (missing > 0) {
                wait();
            }
        }
    }

    private static final class Hand extends Thread {
        private final Trail trail;
        private final int number;
        private final Work work;
        private final Gate gate;
        private Throwable failure;

        Hand(int number, Work work, Gate gate) {
            super("hand-" + number);
            this.number = number;
            this.trail = new Trail(number);
            this.work = work;
            this.gate = gate;
        }

        @Override
        public void run() {
            try {
                gate.pass();
                work.run(number, trail);
            } catch (Throwable e) {
                failure = e;
            }
        }
    }

    private Crew() { }

    // Starts that many threads, joins them, and returns a hash of all their trails.
    public static String run(int size, Work work) throws InterruptedException {
        Hand[] hands = new Hand[size];
        Gate gate = new Gate(size);
        for (int i = 0; i < size; i++) {
            hands[i] = new Hand(i, work, gate);
            hands[i].start();
        }
        Trail all = new Trail();
        for (Hand hand : hands) {
            hand.join();
            if (hand.failure != null) {
                throw new IllegalStateException(hand.getName() + " failed", hand.failure);
            }
            all.saw(hand.trail.hash);
        }
        return all.hex();
    }
}
