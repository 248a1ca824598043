// The contents of a file through a mapping, whole and in part.
// args: in/mapped.bin
// stdout: ^size 3000000,
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32;

public class MappedFile {
    public static void main(String[] args) throws Exception {
        try (FileChannel channel = FileChannel.open(
                     Path.of(args[0]), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer all = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            all.load();
            CRC32 sum = new CRC32();
            sum.update(all.duplicate());
            System.out.println("size " + channel.size() + ", crc " + Long.toHexString(sum.getValue()));
            System.out.println(all.getLong(123) + " " + all.getInt(2_999_996) + " " + all.getChar(1_000_001));
            MappedByteBuffer part = channel.map(FileChannel.MapMode.READ_ONLY, 5001, 10_000);
            System.out.println(part.getLong(0) == all.getLong(5001) ? "part agrees" : "part differs");
            MappedByteBuffer own = channel.map(FileChannel.MapMode.PRIVATE, 0, 4096);
            own.putLong(0, 42);
            System.out.println(own.getLong(0) + " " + own.getLong(8) + " " + (all.getLong(0) != 42));
        } catch (NoSuchFileException e) {
            System.out.println("no file " + e.getMessage());
        }
    }
}
