// Five philosophers, five forks; the left-handed one saves them all from starving. Who ate after whom?
// stdout: ^2000 meals, order [0-9a-f]+$
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

public class DiningPhilosophers {
    public static void main(String[] args) throws Exception {
        ReentrantLock[] forks = new ReentrantLock[5];
        int[] lastUser = {-1, -1, -1, -1, -1};
        for (int i = 0; i < 5; i++) {
            forks[i] = new ReentrantLock();
        }
        AtomicInteger meals = new AtomicInteger();
        String order = Crew.run(5, (number, trail) -> {
            int left = number;
            int right = (number + 1) % 5;
            for (int i = 0; i < 400; i++) {
                forks[Math.min(left, right)].lock();
                forks[Math.max(left, right)].lock();
                trail.saw(meals.incrementAndGet());
                trail.saw(lastUser[left] * 10 + lastUser[right]);
                lastUser[left] = number;
                lastUser[right] = number;
                forks[left].unlock();
                forks[right].unlock();
                if (i % 10 == number) {
                    Thread.yield(); // thinks
                }
            }
        });
        System.out.println(meals + " meals, order " + order);
    }
}
