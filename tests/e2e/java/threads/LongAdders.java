// LongAdder and DoubleAdder spread over cells when threads collide; sums taken in between see part of it.
// stdout: ^8000 added, sum of halves 4000.0$
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

public class LongAdders {
    public static void main(String[] args) throws Exception {
        LongAdder adder = new LongAdder();
        DoubleAdder halves = new DoubleAdder();
        LongAdder taken = new LongAdder();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 2000; i++) {
                adder.increment();
                halves.add(0.5);
                if (i % 4 == number) {
                    trail.saw(adder.sum());
                    trail.saw(Double.hashCode(halves.sum()));
                }
                taken.add(number);
                if (i % 250 == 0) {
                    trail.saw(taken.intValue());
                }
            }
        });
        System.out.println(adder.sumThenReset() + " added, sum of halves " + halves);
        System.out.println(taken.sum() + " seen " + seen);
    }
}
