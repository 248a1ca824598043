// Lamport's bakery: any number of threads exclude each other by reading each other's volatile numbers.
// stdout: ^1600 turns, highest number [0-9]+$
import java.util.concurrent.atomic.AtomicIntegerArray;

public class Bakery {
    static final int THREADS = 4;
    static final AtomicIntegerArray CHOOSING = new AtomicIntegerArray(THREADS);
    static final AtomicIntegerArray NUMBERS = new AtomicIntegerArray(THREADS);
    static int turns;
    static int highest;
    static long order;

    static int enter(int me) {
        CHOOSING.set(me, 1);
        int mine = 0;
        for (int i = 0; i < THREADS; i++) {
            mine = Math.max(mine, NUMBERS.get(i));
        }
        NUMBERS.set(me, ++mine);
        CHOOSING.set(me, 0);
        for (int i = 0; i < THREADS; i++) {
            while (CHOOSING.get(i) == 1) {
                Thread.yield();
            }
            for (int his = NUMBERS.get(i); his != 0 && (his < mine || his == mine && i < me); his = NUMBERS.get(i)) {
                Thread.yield();
            }
        }
        return mine;
    }

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(THREADS, (me, trail) -> {
            for (int i = 0; i < 400; i++) {
                int number = enter(me);
                turns++;
                highest = Math.max(highest, number);
                order = order * 31 + me;
                NUMBERS.set(me, 0);
                trail.saw(number);
            }
        });
        System.out.println(turns + " turns, highest number " + highest);
        System.out.println("order " + Long.toHexString(order) + ", seen " + seen);
    }
}
