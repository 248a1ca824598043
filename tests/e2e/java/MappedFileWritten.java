// Writes through a mapping and reads the file; writes the file and reads through the mapping.
// limit: bytes written to a file by other ways do not show in a mapping of it
// args: in/data.txt
// stdout: ^file says moment [0-9]+
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

public class MappedFileWritten {
    public static void main(String[] args) throws Exception {
        Path path = Path.of(args[0]);
        if (Files.notExists(path)) {
            System.out.println("no file");
            return;
        }
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            FileChannel channel = file.getChannel();
            MappedByteBuffer map = channel.map(FileChannel.MapMode.READ_WRITE, 0, 8192);
            byte[] moment = ("moment " + System.nanoTime() + "\n").getBytes();
            byte[] before = new byte[10];
            map.get(0, before);
            map.put(100, moment);
            map.force();
            file.seek(100);
            System.out.println("file says " + file.readLine() + ", length " + file.length());
            channel.write(ByteBuffer.wrap(before), 4096);
            byte[] after = new byte[10];
            map.get(4096, after);
            System.out.println("map says " + new String(after));
        }
        System.out.println(Files.readString(path).hashCode());
    }
}
