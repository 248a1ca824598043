// Fields that are made when they are first needed, without a lock, or looked at before it is taken: a data race, of the
// kind that libraries are full of. Who finds them missing does something that others can see.
// record: --racy=LazyFields*.??
import java.util.concurrent.atomic.AtomicInteger;

public final class LazyFields {
    private static final int ROUNDS = 500;

    private static final AtomicInteger made = new AtomicInteger();

    private static final class Item {
        private Integer table;
        private Object cache;
        private boolean ready;

        int table() {
            if (table == null) {
                table = made.incrementAndGet();
            }
            return table;
        }

        int cached() {
            Object found = cache;
            if (found instanceof Integer) {
                return 0;
            }
            cache = made.incrementAndGet();
            return 1;
        }

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
    }

    private static Item[] items = new Item[ROUNDS];
    private static Integer total;

    private LazyFields() { }

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
                trail.saw(item.table());
                trail.saw(item.cached());
                trail.saw(item.isReady());
                trail.saw(total());
            }
        }));
    }
}
