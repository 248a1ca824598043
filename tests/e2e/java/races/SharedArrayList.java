// An ArrayList that threads fill, empty and sort without any lock.
// record: --order=serial --preempt=loops
// stdout: ^size [0-9]+, [0-9]+ failures, seen [0-9a-f]+$
import java.util.ArrayList;
import java.util.List;

public class SharedArrayList {
    static final List<Integer> LIST = new ArrayList<>();
    static int failures;

    static long sum() {
        long sum = 0;
        for (Integer value : LIST) {
            sum = sum * 31 + value;
        }
        return sum;
    }

    static long step(int number, int i) {
        LIST.add(i * number);
        int last = LIST.size() - 1;
        if (i % 2 == 0) {
            return sum();
        }
        long seen = 0;
        for (int back = 0; back < 5; back++) {
            seen = seen * 31 + LIST.get(last - back);
        }
        if (last > 60) {
            LIST.subList(0, 30).clear();
        }
        return seen;
    }

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 5_000; i++) {
                try {
                    trail.saw(step(number, i));
                } catch (RuntimeException e) {
                    failures++;
                    trail.saw(e.getClass().getName());
                }
            }
        });
        System.out.println("size " + LIST.size() + ", " + failures + " failures, seen " + seen);
    }
}
