// Threads that start threads and join them: who came into being, and who was over, before whom.
// stdout: ^127 threads started, order [0-9a-f]+$
public class ThreadStartJoin {
    static int started;
    static long order;

    static synchronized int note(int number) {
        order = order * 31 + number;
        return ++started;
    }

    static void grow(int number, int level) {
        note(number);
        if (level == 0) {
            return;
        }
        Thread left = new Thread(() -> grow(number * 2, level - 1));
        Thread right = new Thread(() -> grow(number * 2 + 1, level - 1));
        left.start();
        right.start();
        try {
            right.join();
            left.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        synchronized (ThreadStartJoin.class) {
            order = order * 37 - number;
        }
    }

    public static void main(String[] args) {
        grow(1, 6);
        System.out.println(started + " threads started, order " + Long.toHexString(order));
    }
}
