// The default time zone, which comes from the environment; and dates shown in it.
// env: TZ=America/St_Johns
// stdout: ^America/St_Johns America/St_Johns
import java.text.DateFormat;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.FormatStyle;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.TimeZone;

public class TimeZoneDefault {
    public static void main(String[] args) {
        TimeZone zone = TimeZone.getDefault();
        System.out.println(zone.getID() + " " + ZoneId.systemDefault() + " " + zone.getRawOffset());
        System.out.println(zone.getDisplayName() + " " + zone.inDaylightTime(new Date(0)));
        System.out.println(
                new Date(1_700_000_000_000L) + " " + DateFormat.getDateTimeInstance().format(new Date(0)));
        System.out.println(new GregorianCalendar(2020, 6, 1).toInstant());
        System.out.println(ZonedDateTime.now());
        System.out.println(ZonedDateTime.now(ZoneId.of("Europe/Vienna"))
                                   .format(DateTimeFormatter.ofLocalizedDateTime(FormatStyle.FULL)));
    }
}
