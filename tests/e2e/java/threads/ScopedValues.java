// Scoped values, bound by each thread for its own calls only, to numbers that all draw from one box.
// only: 25
// stdout: ^8000 drawn, seen [0-9a-f]+$
import java.util.concurrent.atomic.AtomicInteger;

public class ScopedValues {
    static final ScopedValue<Integer> DRAWN = ScopedValue.newInstance();
    static final AtomicInteger BOX = new AtomicInteger();

    static int sum(int depth) {
        int own = DRAWN.get();
        return depth == 0 ? own : own + ScopedValue.where(DRAWN, BOX.incrementAndGet()).call(() -> sum(depth - 1));
    }

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 500; i++) {
                trail.saw(ScopedValue.where(DRAWN, BOX.incrementAndGet()).call(() -> sum(3)));
                trail.saw(DRAWN.isBound());
            }
        });
        System.out.println(BOX + " drawn, seen " + seen);
    }
}
