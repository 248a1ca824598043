// RecursiveAction and CountedCompleter in a ForkJoinPool that serves its queues first in, first out.
// stdout: ^1024 actions, 255 completions$
import java.util.concurrent.CountedCompleter;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class ForkJoinActions {
    static final AtomicInteger ACTIONS = new AtomicInteger();
    static final AtomicInteger COMPLETIONS = new AtomicInteger();
    static final AtomicLong ORDER = new AtomicLong();

    static void note(int number) {
        ORDER.updateAndGet(hash -> hash * 31 + number);
        Thread.yield();
    }

    static class Halve extends RecursiveAction {
        final int from;
        final int size;

        Halve(int from, int size) {
            this.from = from;
            this.size = size;
        }

        @Override
        protected void compute() {
            if (size == 1) {
                note(from + ACTIONS.incrementAndGet());
            } else {
                invokeAll(new Halve(from, size / 2), new Halve(from + size / 2, size / 2));
            }
        }
    }

    static class Tree extends CountedCompleter<Void> {
        final int number;

        Tree(Tree parent, int number) {
            super(parent);
            this.number = number;
        }

        @Override
        public void compute() {
            if (number < 128) {
                setPendingCount(2);
                new Tree(this, number * 2).fork();
                new Tree(this, number * 2 + 1).fork();
            }
            tryComplete();
        }

        @Override
        public void onCompletion(CountedCompleter<?> caller) {
            note(number + COMPLETIONS.incrementAndGet());
        }
    }

    public static void main(String[] args) {
        ForkJoinPool pool = new ForkJoinPool(4, ForkJoinPool.defaultForkJoinWorkerThreadFactory, null, true);
        pool.invoke(new Halve(0, 1024));
        pool.invoke(new Tree(null, 1));
        pool.shutdown();
        System.out.println(ACTIONS + " actions, " + COMPLETIONS + " completions");
        System.out.println("order " + Long.toHexString(ORDER.get()));
    }
}
