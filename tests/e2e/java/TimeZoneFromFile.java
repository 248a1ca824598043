// With TZ unset the default time zone comes from the system's files.
// stdout: ^zone [A-Za-z/_+0-9-]+
import java.time.ZonedDateTime;
import java.util.TimeZone;

public class TimeZoneFromFile {
    public static void main(String[] args) {
        System.out.println("zone " + TimeZone.getDefault().getID() + " " + System.getenv("TZ"));
        System.out.println(ZonedDateTime.now());
    }
}
