// Every system property, and some that are derived from the place the program runs in.
// jvm: -Dcanon.e2e.nonce=@NONCE@
// stdout: ^canon.e2e.nonce=@NONCE@$
// stdout: ^user.dir=@WORLD@$
import java.util.Locale;
import java.util.TreeMap;

public class SystemProperties {
    public static void main(String[] args) {
        new TreeMap<>(System.getProperties())
                .forEach((key, value)
                                 -> System.out.println(key + "=" + value.toString().replace("\n", "\\n")));
        System.out.println(
                Integer.getInteger("no.such.number", 7) + " " + Boolean.getBoolean("canon.e2e.none"));
        System.setProperty("canon.e2e.set", Long.toString(System.nanoTime()));
        System.out.println(System.getProperty("canon.e2e.set"));
        System.out.println(Runtime.version() + " " + Locale.getDefault().getDisplayName());
        System.out.println(System.getProperties().size()
                + " properties in this order: " + System.getProperties().keySet());
    }
}
