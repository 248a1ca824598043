// Arguments with spaces, stars, quotes, line breaks and letters outside of ASCII; and the file they name.
// stdout: ^2 \[größer 音楽\] 9$
// stdout: ^nonce @NONCE@$
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

public class Arguments {
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < args.length; i++) {
            System.out.println(i + " [" + args[i].replace("\n", "\\n") + "] " + args[i].length());
        }
        try {
            System.out.print(Files.readString(Path.of(args[0])));
        } catch (NoSuchFileException e) {
            System.out.println("no file");
        }
    }
}
