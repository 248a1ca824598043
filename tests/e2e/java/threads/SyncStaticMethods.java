// Static synchronized methods lock their class, which a block can lock too.
// stdout: ^12000 tickets, order [0-9a-f]+$
public class SyncStaticMethods {
    static int tickets;
    static long order;

    static synchronized int draw(int number) {
        order = order * 31 + number;
        return tickets++;
    }

    static int drawInBlock(int number) {
        synchronized (SyncStaticMethods.class) {
            order = order * 37 - number;
            return tickets++;
        }
    }

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 3000; i++) {
                trail.saw(i % 4 == number ? drawInBlock(number) : draw(number));
            }
        });
        System.out.println(tickets + " tickets, order " + Long.toHexString(order));
        System.out.println("seen " + seen);
    }
}
