// SeekableByteChannel and FileChannel: positions, sparse writes, sizes, appending, delete on close.
// args: in/data.txt
// stdout: ^size 1000008$
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

public class ByteChannels {
    public static void main(String[] args) throws Exception {
        Path path = Path.of(args[0]);
        if (Files.exists(path)) {
            try (SeekableByteChannel channel = Files.newByteChannel(path)) {
                ByteBuffer buffer = ByteBuffer.allocate(16);
                channel.position(17);
                System.out.println(channel.read(buffer) + " " + new String(buffer.array()));
                channel.position(10_000);
                System.out.println(channel.read(buffer.clear()) + " " + channel.size());
            }
        }
        Path sparse = Path.of("sparse");
        try (FileChannel channel = FileChannel.open(sparse, StandardOpenOption.CREATE,
                     StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.SPARSE)) {
            ByteBuffer moment = ByteBuffer.allocateDirect(8).putLong(0, System.nanoTime());
            channel.write(moment, 1_000_000);
            System.out.println("size " + channel.size());
            ByteBuffer back = ByteBuffer.allocate(16);
            System.out.println(channel.read(back, 999_992) + " " + back.getLong(0) + " " + back.getLong(8));
            System.out.println(channel.truncate(3).size());
        }
        try (FileChannel channel = FileChannel.open(
                     sparse, StandardOpenOption.APPEND, StandardOpenOption.DELETE_ON_CLOSE)) {
            System.out.println(channel.write(ByteBuffer.wrap("more".getBytes())) + " " + channel.position());
        }
        System.out.println(Files.exists(sparse));
    }
}
