// Peterson's mutual exclusion of two threads, by three volatile variables and nothing else.
// stdout: ^16000 turns, order [0-9a-f]+$
public class Peterson {
    static volatile boolean wants0;
    static volatile boolean wants1;
    static volatile int polite;
    static int turns;
    static long order;

    static boolean enter(int number) {
        boolean waited = false;
        if (number == 0) {
            wants0 = true;
        } else {
            wants1 = true;
        }
        polite = number;
        while ((number == 0 ? wants1 : wants0) && polite == number) {
            waited = true;
            Thread.yield();
        }
        return waited;
    }

    static void leave(int number) {
        if (number == 0) {
            wants0 = false;
        } else {
            wants1 = false;
        }
    }

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(2, (number, trail) -> {
            for (int i = 0; i < 8000; i++) {
                trail.saw(enter(number));
                trail.saw(turns++);
                long mine = order * 31 + number;
                order = mine;
                leave(number);
                if (mine % 8 == 0) {
                    Thread.yield();
                }
            }
        });
        System.out.println(turns + " turns, order " + Long.toHexString(order));
        System.out.println("seen " + seen);
    }
}
