// Names of time zones, which threads ask for at the same time: the JDK fills what is missing into an array that all
// have from a cache.
// only: 17
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

public class ZoneNames {
    static final List<String> ZONES = List.of("GMT", "Europe/Paris", "Asia/Kolkata", "America/New_York", "Etc/UTC",
            "Africa/Lagos", "Asia/Tokyo", "Australia/Eucla", "America/Havana", "Pacific/Apia", "Asia/Kathmandu");
    static final AtomicInteger ASKED = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 8 * ZONES.size(); i++) {
                Locale locale = i % 2 == 0 ? Locale.US : Locale.FRANCE;
                String name = DateTimeFormatter.ofPattern("HH:mm zzz zzzz", locale)
                        .withZone(ZoneId.of(ZONES.get(i % ZONES.size()))).format(Instant.ofEpochSecond(i * 1000L));
                trail.saw(name);
                trail.saw(ASKED.incrementAndGet());
            }
        });
        System.out.println("seen " + seen);
    }
}
