// Blocks that synchronise on one object: the order in which threads get it.
// stdout: ^12000 turns, order [0-9a-f]+$
public class SyncBlocks {
    static final Object LOCK = new Object();
    static int turns;
    static long order;

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 3000; i++) {
                synchronized (LOCK) {
                    order = order * 31 + number;
                    trail.saw(turns++);
                }
            }
        });
        System.out.println(turns + " turns, order " + Long.toHexString(order));
        System.out.println("seen " + seen);
    }
}
