// java Program.java: compiled in memory and run.
// stdout: ^read nonce @NONCE@
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

public class LaunchSource {
    record Pair(String text, long moment) { }

    public static void main(String[] args) throws Exception {
        try {
            var pair = new Pair(Files.readAllLines(Path.of(args[0])).get(1), System.nanoTime());
            System.out.println("read " + pair.text() + " " + pair);
        } catch (NoSuchFileException e) {
            System.out.println("no file");
        }
        System.out.println(LaunchSource.class.getClassLoader().getClass().getSimpleName() + " "
                + List.of(args).stream().map(String::length).toList());
    }
}
