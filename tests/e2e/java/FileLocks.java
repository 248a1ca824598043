// Locks on regions of a file of which another process holds one.
// args: in/data.txt
// stdout: ^held by another: null
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

public class FileLocks {
    public static void main(String[] args) throws Exception {
        try (FileChannel channel = FileChannel.open(
                     Path.of(args[0]), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            System.out.println("held by another: " + channel.tryLock(0, 10, false));
            System.out.println("shared: " + channel.tryLock(5, 1, true));
            FileLock free = channel.tryLock(10, 10, false);
            System.out.println(free != null && free.isValid() ? "free region locked" : "not locked");
            try {
                channel.lock(15, 10, false);
            } catch (OverlappingFileLockException e) {
                System.out.println("overlaps our own");
            }
            free.release();
            FileLock shared = channel.lock(20, Long.MAX_VALUE - 20, true);
            System.out.println(shared.isShared() + " " + shared.isValid() + " " + shared.size());
            shared.close();
        } catch (NoSuchFileException e) {
            System.out.println("no file");
        }
    }
}
