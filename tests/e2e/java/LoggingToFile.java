// java.util.logging to a file and to standard error, set up from a file.
// jvm: -Djava.util.logging.config.file=in/logging.properties
// stdout: ^[0-9-]+ [0-9:.]+ FINE e2e it is [0-9]+
// stderr: WARNING: watch out
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.FileHandler;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

public class LoggingToFile {
    public static void main(String[] args) throws Exception {
        Logger logger = Logger.getLogger("e2e");
        FileHandler handler = new FileHandler("app.%g.log", 100_000, 2);
        handler.setFormatter(new SimpleFormatter());
        handler.setLevel(Level.ALL);
        logger.addHandler(handler);
        logger.log(Level.FINE, "it is {0}", Long.toString(System.nanoTime()));
        logger.warning("watch out");
        try {
            Files.readString(Path.of("in/missing"));
        } catch (Exception e) {
            logger.log(Level.SEVERE, "failed", e);
        }
        System.out.println(Files.exists(Path.of("app.0.log.lck")));
        handler.close();
        System.out.print(Files.readString(Path.of("app.0.log")));
        System.out.println(Files.exists(Path.of("app.0.log.lck")) + " " + logger.getLevel());
    }
}
