// A monitor that its owner enters again and again, and leaves as often: nobody else comes in between.
// stdout: ^6300 entries, order [0-9a-f]+$
public class SyncRecursive {
    private int entries;
    private long order;

    synchronized void descend(int number, int depth) {
        entries++;
        order = order * 31 + number * 100 + depth;
        if (depth > 0) {
            descend(number, depth - 1);
            synchronized (this) {
                order ^= depth;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        SyncRecursive lock = new SyncRecursive();
        String seen = Crew.run(3, (number, trail) -> {
            for (int i = 0; i < 600; i++) {
                lock.descend(number, i % 6);
                synchronized (lock) {
                    trail.saw(lock.entries);
                }
            }
        });
        System.out.println(lock.entries + " entries, order " + Long.toHexString(lock.order));
        System.out.println("seen " + seen);
    }
}
