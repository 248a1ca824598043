// The operations of AtomicInteger: what each returned to whom.
// stdout: ^[0-9-]+ at last, [0-9]+ of 6000 swaps won$
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

public class AtomicIntegers {
    public static void main(String[] args) throws Exception {
        AtomicInteger value = new AtomicInteger();
        AtomicInteger won = new AtomicInteger();
        AtomicBoolean flag = new AtomicBoolean();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 1500; i++) {
                trail.saw(value.incrementAndGet());
                trail.saw(value.getAndAdd(number));
                int before = value.get();
                if (value.compareAndSet(before, before * 31 % 10_007)) {
                    won.getAndIncrement();
                }
                trail.saw(flag.getAndSet(i % 2 == 0));
                trail.saw(value.getAndUpdate(v -> v ^ number));
                trail.saw(value.accumulateAndGet(i, Math::max));
                if (i % 100 == number) {
                    value.lazySet(i);
                    trail.saw(value.getAcquire());
                }
            }
        });
        System.out.println(value + " at last, " + won + " of 6000 swaps won");
        System.out.println("seen " + seen);
    }
}
