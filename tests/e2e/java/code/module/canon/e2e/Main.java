package canon.e2e;

import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.logging.Logger;

// The main class of the module that LaunchModule starts.
public class Main {
    public static void main(String[] args) throws Exception {
        Module module = Main.class.getModule();
        System.out.println(module + " " + module.getDescriptor().requires().size() + " "
                + ModuleLayer.boot().findModule("java.logging").isPresent() + " " + Logger.getLogger("x").getName());
        try {
            System.out.println(Files.readAllLines(Path.of(args[0])).get(1) + " " + System.nanoTime());
        } catch (NoSuchFileException e) {
            System.out.println("no file");
        }
    }
}
