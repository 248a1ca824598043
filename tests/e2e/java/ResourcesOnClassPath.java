// Resources and bundles beside the classes.
// stdout: ^greeting: Servus @NONCE@$
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.Locale;
import java.util.MissingResourceException;
import java.util.ResourceBundle;

public class ResourcesOnClassPath {
    public static void main(String[] args) throws Exception {
        for (Locale locale : new Locale[] {new Locale("de", "AT"), Locale.GERMANY, Locale.JAPAN}) {
            try {
                System.out.println(
                        "greeting: " + ResourceBundle.getBundle("Messages", locale).getString("greeting"));
            } catch (MissingResourceException e) {
                System.out.println(e.getMessage());
            }
        }
        ClassLoader loader = ResourcesOnClassPath.class.getClassLoader();
        for (URL url : Collections.list(loader.getResources("some.txt"))) {
            try (InputStream in = url.openStream()) {
                System.out.println(url + " " + new String(in.readAllBytes()).trim());
            }
        }
        System.out.println(loader.getResource("ResourcesOnClassPath.class"));
        System.out.println(ResourcesOnClassPath.class.getResource("/java/lang/Object.class"));
        System.out.println(ResourcesOnClassPath.class.getResourceAsStream("none"));
    }
}
