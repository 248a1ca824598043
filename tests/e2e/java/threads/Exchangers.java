// Six threads meet in pairs at an exchanger: who met whom, and who waited too long.
// stdout: ^6000 meetings sought, [0-9]+ took place$
import java.util.concurrent.Exchanger;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

public class Exchangers {
    public static void main(String[] args) throws Exception {
        Exchanger<Integer> exchanger = new Exchanger<>();
        int[] met = new int[6];
        String seen = Crew.run(6, (number, trail) -> {
            for (int i = 0; i < 1000; i++) {
                try {
                    int other = exchanger.exchange(number * 1000 + i, 200, TimeUnit.MICROSECONDS);
                    met[number]++;
                    trail.saw(other);
                } catch (TimeoutException e) {
                    trail.saw("nobody");
                }
            }
        });
        int sum = 0;
        for (int i = 0; i < 6; i++) {
            System.out.println(i + " met " + met[i]);
            sum += met[i];
        }
        System.out.println("6000 meetings sought, " + sum / 2 + " took place");
        System.out.println("seen " + seen);
    }
}
