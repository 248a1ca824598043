// java -jar with a manifest that names another jar on the class path.
// args: in/data.txt
// stdout: ^nonce @NONCE@ greetings from AppClassLoader
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Supplier;

public class LaunchJar {
    public static void main(String[] args) throws Exception {
        Supplier<?> greeter = (Supplier<?>) Class.forName("Greeter").getDeclaredConstructor().newInstance();
        String text;
        try {
            text = Files.readAllLines(Path.of(args[0])).get(1);
        } catch (NoSuchFileException e) {
            text = "no file";
        }
        System.out.println(text + " " + greeter.get());
        System.out.println(
                System.getProperty("java.class.path") + " " + System.getProperty("sun.java.command"));
        System.out.println(LaunchJar.class.getPackage().getImplementationVersion() + " "
                + LaunchJar.class.getProtectionDomain().getCodeSource().getLocation());
    }
}
