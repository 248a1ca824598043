// java @argfile: options, main class and arguments come from files.
// stdout: ^greeting two words, nonce @NONCE@
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;

public class LaunchArgfile {
    public static void main(String[] args) throws Exception {
        String text;
        try {
            text = Files.readAllLines(Path.of(args[0])).get(1);
        } catch (NoSuchFileException e) {
            text = "no file";
        }
        System.out.println("greeting " + System.getProperty("greeting") + ", " + text);
        System.out.println(Arrays.toString(args) + " " + System.nanoTime());
    }
}
