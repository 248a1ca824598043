// File names and contents outside of ASCII; the replay's locale knows none of them.
// args: in
// stdout: Übergröße
// stdout: 音楽
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

public class UnicodeFileNames {
    public static void main(String[] args) throws Exception {
        String[] names = new File(args[0]).list();
        if (names == null) {
            System.out.println("no directory");
            return;
        }
        Arrays.sort(names);
        for (String name : names) {
            System.out.println(
                    name + " " + name.length() + " " + Files.readString(Path.of(args[0], name)).trim());
        }
        Path made = Files.writeString(Path.of("é" + System.nanoTime()), "ça");
        System.out.println(made + " " + made.toFile().exists() + " " + made.toRealPath().getFileName() + " "
                + made.toUri().getRawPath().contains("%C3%A9"));
    }
}
