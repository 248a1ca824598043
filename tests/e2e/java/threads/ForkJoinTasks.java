// A sum by divide and conquer in a ForkJoinPool: who computed which part, and what was stolen.
// stdout: ^sum 2001000, [0-9]+ leaves$
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;

public class ForkJoinTasks {
    static int leaves;
    static long order;

    static synchronized void leaf(int from) {
        leaves++;
        String worker = Thread.currentThread().getName();
        order = order * 31 + from * 10 + worker.charAt(worker.length() - 1);
    }

    static class Sum extends RecursiveTask<Integer> {
        final int from;
        final int to;

        Sum(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        protected Integer compute() {
            if (to - from <= 4) {
                leaf(from);
                Thread.yield();
                int sum = 0;
                for (int i = from; i < to; i++) {
                    sum += i;
                }
                return sum;
            }
            Sum left = new Sum(from, (from + to) / 2);
            Sum right = new Sum((from + to) / 2, to);
            left.fork();
            return right.compute() + left.join();
        }
    }

    public static void main(String[] args) {
        ForkJoinPool pool = new ForkJoinPool(4);
        int sum = pool.invoke(new Sum(0, 2001));
        System.out.println("sum " + sum + ", " + leaves + " leaves");
        System.out.println("order " + Long.toHexString(order) + ", stolen " + pool.getStealCount());
        pool.shutdown();
    }
}
