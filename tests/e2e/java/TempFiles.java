// Temporary files: their names are random numbers.
// jvm: -Djava.io.tmpdir=@WORLD@/tmp
// stdout: ^/.*/tmp/canon[0-9]+.tmp$
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

public class TempFiles {
    public static void main(String[] args) throws Exception {
        new File(System.getProperty("java.io.tmpdir")).mkdirs();
        File first = File.createTempFile("canon", null);
        System.out.println(first);
        Path second = Files.createTempFile("canon", ".txt");
        System.out.println(second + " " + Files.getPosixFilePermissions(second).size());
        Path directory = Files.createTempDirectory("canon");
        Path third = Files.createTempFile(directory, null, null);
        System.out.println(directory.relativize(third));
        first.deleteOnExit();
        Files.writeString(second, "something");
        System.out.println(Files.size(second));
        Files.delete(third);
        System.out.println(Files.deleteIfExists(directory) + " " + Files.deleteIfExists(directory));
    }
}
