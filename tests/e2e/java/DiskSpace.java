// What the file system says of itself: space, type, name, block size.
// args: in/data.txt
// stdout: ^total [1-9]
import java.io.File;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

public class DiskSpace {
    public static void main(String[] args) {
        try {
            FileStore store = Files.getFileStore(Path.of(args[0]));
            System.out.println("total " + store.getTotalSpace() + ", usable " + store.getUsableSpace()
                    + ", unallocated " + store.getUnallocatedSpace());
            System.out.println(store.name() + " " + store.type() + " " + store.isReadOnly() + " "
                    + store.getBlockSize() + " " + store.supportsFileAttributeView("user"));
        } catch (IOException e) {
            System.out.println(e);
        }
        File file = new File(args[0]);
        System.out.println(file.getTotalSpace() + " " + file.getFreeSpace() + " " + file.getUsableSpace());
        for (FileStore store : Path.of("/").getFileSystem().getFileStores()) {
            System.out.println(store.name() + " " + store.type());
        }
    }
}
