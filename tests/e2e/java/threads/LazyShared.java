// Static fields that are made when they are first needed, and others that are looked at before a lock is taken for
// that: data races that canon orders without being told.
import java.util.concurrent.atomic.AtomicInteger;

public final class LazyShared {
    private static final int ROUNDS = 500;

    private static final AtomicInteger made = new AtomicInteger();

    private static final class Item {
        private boolean ready;
        private Integer number;

        boolean isReady() {
            if (!ready) {
                prepare();
                return false;
            }
            return true;
        }

        private synchronized void prepare() {
            if (!ready) {
                made.incrementAndGet();
                ready = true;
            }
        }

        int number() {
            if (number == null) {
                synchronized (this) {
                    if (number == null) {
                        number = made.incrementAndGet();
                    }
                    return -1;
                }
            }
            return number;
        }
    }

    private static Item[] items = new Item[ROUNDS];
    private static Integer total;

    private LazyShared() { }

    private static int total() {
        if (null == total) {
            total = made.incrementAndGet();
        }
        return total;
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            items[i] = new Item();
        }
        System.out.println(Crew.run(4, (number, trail) -> {
            for (Item item : items) {
                trail.saw(item.isReady());
                trail.saw(item.number());
                trail.saw(total());
            }
        }));
    }
}
