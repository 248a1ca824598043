// Two plain longs that belong together and are written one after the other: who looks in between sees a pair that never
// was.
// record: --order=serial --preempt=loops
// stdout: ^[0-9]+ torn pairs, seen [0-9a-f]+$
public class TornPairs {
    static long left;
    static long right;
    static int torn;

    static void write(int number, int i) {
        long value = (long) number << 40 | i;
        left = value;
        for (int k = 0; k < 30; k++) {
            value = value * 1_000_003 + k;
        }
        right = value;
    }

    static long expected(long value) {
        for (int k = 0; k < 30; k++) {
            value = value * 1_000_003 + k;
        }
        return value;
    }

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(4, (number, trail) -> {
            long hash = number;
            for (int i = 0; i < 20_000; i++) {
                if (number < 2) {
                    write(number, i);
                } else {
                    long first = left;
                    long second = right;
                    torn += expected(first) == second ? 0 : 1;
                    hash = hash * 31 + first + second;
                }
            }
            trail.saw(hash);
        });
        System.out.println(torn + " torn pairs, seen " + seen);
    }
}
