// A generator of random numbers that all threads share, as java.util.Random is: its seed is an AtomicLong.
// stdout: ^8000 numbers drawn, seed -?[0-9]+, [0-9]+ swaps lost$
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

public class AtomicLongs {
    public static void main(String[] args) throws Exception {
        AtomicLong seed = new AtomicLong(1);
        AtomicLong lost = new AtomicLong();
        AtomicLong drawn = new AtomicLong();
        Random random = new Random(42);
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 2000; i++) {
                long before = seed.get();
                long next = before * 6364136223846793005L + number;
                while (!seed.compareAndSet(before, next)) {
                    lost.incrementAndGet();
                    before = seed.get();
                    next = before * 6364136223846793005L + number;
                }
                trail.saw(next);
                trail.saw(random.nextInt());
                drawn.getAndIncrement();
            }
        });
        System.out.println(drawn + " numbers drawn, seed " + seed + ", " + lost + " swaps lost");
        System.out.println("seen " + seen);
    }
}
