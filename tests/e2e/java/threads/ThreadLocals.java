// Variables of a thread, whose initial values are numbers drawn from one box by all.
// stdout: ^4 x 1500 draws, last [0-9]+
import java.util.concurrent.atomic.AtomicInteger;

public class ThreadLocals {
    static final AtomicInteger BOX = new AtomicInteger();
    static final ThreadLocal<Integer> NUMBER = ThreadLocal.withInitial(BOX::incrementAndGet);
    static final ThreadLocal<long[]> SUM = ThreadLocal.withInitial(() -> new long[1]);

    public static void main(String[] args) throws Exception {
        long[] sums = new long[4];
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 1500; i++) {
                trail.saw(NUMBER.get());
                SUM.get()[0] += NUMBER.get();
                if (i % 100 == 99) {
                    NUMBER.set(-i);
                } else {
                    NUMBER.remove();
                }
            }
            sums[number] = SUM.get()[0];
        });
        System.out.println("4 x 1500 draws, last " + BOX);
        for (long sum : sums) {
            System.out.println("sum " + sum);
        }
        System.out.println("seen " + seen + ", main has " + NUMBER.get());
    }
}
