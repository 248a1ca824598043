// A WatchService hears of files that come and go.
// limit: the order of the watch service and the program is that of two threads
// args: in
// stdout: ^ENTRY_CREATE made-[0-9]+
// stdout: ^ENTRY_DELETE made-[0-9]+
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.concurrent.TimeUnit;

public class WatchDirectory {
    public static void main(String[] args) throws Exception {
        Path directory = Files.createDirectories(Path.of(args[0]));
        try (WatchService service = directory.getFileSystem().newWatchService()) {
            directory.register(
                    service, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_DELETE);
            Path file = Files.createFile(directory.resolve("made-" + System.nanoTime()));
            show(service.poll(20, TimeUnit.SECONDS));
            Files.delete(file);
            show(service.poll(20, TimeUnit.SECONDS));
            System.out.println(service.poll());
        }
    }

    static void show(WatchKey key) {
        if (key == null) {
            System.out.println("nothing");
            return;
        }
        for (WatchEvent<?> event : key.pollEvents()) {
            System.out.println(event.kind() + " " + event.context() + " " + event.count());
        }
        System.out.println(key.reset());
    }
}
