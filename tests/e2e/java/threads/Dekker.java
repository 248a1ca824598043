// Dekker's mutual exclusion: who has not the turn takes back its wish; and his litmus test, in which two threads
// never both see 0.
// stdout: ^4000 turns, [0-9]+ withdrawals, both saw 0: 0 times$
import java.util.concurrent.atomic.AtomicIntegerArray;

public class Dekker {
    static final AtomicIntegerArray WISHES = new AtomicIntegerArray(2);
    static volatile int turn;
    static int turns;
    static int withdrawals;

    static int enter(int number) {
        int withdrawn = 0;
        WISHES.set(number, 1);
        while (WISHES.get(1 - number) == 1) {
            if (turn != number) {
                withdrawn++;
                WISHES.set(number, 0);
                while (turn != number) {
                    Thread.yield();
                }
                WISHES.set(number, 1);
            }
        }
        return withdrawn;
    }

    static void leave(int number) {
        turn = 1 - number;
        WISHES.set(number, 0);
    }

    public static void main(String[] args) throws Exception {
        AtomicIntegerArray x = new AtomicIntegerArray(2000);
        AtomicIntegerArray y = new AtomicIntegerArray(2000);
        int[][] saw = new int[2][2000];
        String seen = Crew.run(2, (number, trail) -> {
            for (int i = 0; i < 2000; i++) {
                int withdrawn = enter(number);
                withdrawals += withdrawn;
                trail.saw(turns++);
                leave(number);
                (number == 0 ? x : y).set(i, 1);
                saw[number][i] = (number == 0 ? y : x).get(i);
                trail.saw(saw[number][i]);
            }
        });
        int bothZero = 0;
        for (int i = 0; i < 2000; i++) {
            bothZero += saw[0][i] + saw[1][i] == 0 ? 1 : 0;
        }
        System.out.println(turns + " turns, " + withdrawals + " withdrawals, both saw 0: " + bothZero + " times");
        System.out.println("seen " + seen);
    }
}
