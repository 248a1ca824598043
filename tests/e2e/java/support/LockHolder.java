import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

// Holds a lock on the first bytes of a file.
final class LockHolder {
    public static void main(String[] args) throws Exception {
        Lifetime.begin();
        FileChannel channel = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE);
        channel.lock(0, Long.parseLong(args[1]), false);
        System.out.println("port none");
        Thread.sleep(Lifetime.SECONDS * 1000L);
    }
}
