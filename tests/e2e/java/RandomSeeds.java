// Pseudo-random numbers that seed themselves from the clock and the like.
// stdout: ^Random [0-9.-]+
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

public class RandomSeeds {
    public static void main(String[] args) {
        System.out.println("Random " + new Random().nextInt() + " " + new Random().nextDouble());
        System.out.println("Math " + Math.random());
        System.out.println("ThreadLocalRandom " + ThreadLocalRandom.current().nextLong());
        System.out.println("SplittableRandom " + new SplittableRandom().nextLong());
        System.out.println("default generator " + RandomGenerator.getDefault().nextLong());
        System.out.println("L128X256 " + RandomGenerator.of("L128X256MixRandom").nextLong());
        List<Integer> cards = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            cards.add(i);
        }
        Collections.shuffle(cards);
        System.out.println(cards);
    }
}
