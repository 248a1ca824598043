// Clocks, read a few times and very often, so that compiled code reads them too.
// stdout: ^hot loops done
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Calendar;
import java.util.Date;

public class ClockAndNano {
    public static void main(String[] args) {
        System.out.println(System.currentTimeMillis() + " " + System.nanoTime());
        System.out.println(Instant.now() + " " + Clock.systemUTC().millis() + " " + LocalDateTime.now());
        System.out.println(new Date() + " " + Calendar.getInstance().getTimeInMillis());
        long nanos = 0;
        long millis = 0;
        for (int i = 0; i < 200_000; i++) {
            nanos = nanos * 31 + System.nanoTime();
            millis = millis * 31 + System.currentTimeMillis();
        }
        System.out.println("hot loops done: " + nanos + " " + millis);
        long adjusted = 0;
        for (int i = 0; i < 20_000; i++) {
            adjusted = adjusted * 31 + Instant.now().getNano();
        }
        System.out.println(adjusted);
        long begin = System.nanoTime();
        int spins = 0;
        while (System.nanoTime() - begin < 5_000_000) {
            spins++;
        }
        System.out.println(spins + " turns in five milliseconds");
    }
}
