// LongAccumulator and DoubleAccumulator: the greatest and the least so far, as seen on the way.
// stdout: ^greatest 7999, least -7999.0$
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.LongAccumulator;

public class LongAccumulators {
    public static void main(String[] args) throws Exception {
        LongAccumulator greatest = new LongAccumulator(Math::max, Long.MIN_VALUE);
        DoubleAccumulator least = new DoubleAccumulator(Math::min, Double.MAX_VALUE);
        String seen = Crew.run(5, (number, trail) -> {
            for (int i = 0; i < 1600; i++) {
                int value = i * 5 + number;
                greatest.accumulate(value);
                least.accumulate(-value);
                trail.saw(greatest.get() - value);
                if (i % 8 == 0) {
                    trail.saw((long) least.get());
                }
            }
        });
        System.out.println("greatest " + greatest + ", least " + least);
        System.out.println("seen " + seen);
    }
}
