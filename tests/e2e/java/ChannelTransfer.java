// transferTo and transferFrom between files, and to standard output.
// args: in/source.bin
// stdout: ^sent 1500000
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

public class ChannelTransfer {
    public static void main(String[] args) throws Exception {
        Path copy = Path.of("copy.bin");
        try (FileChannel from = FileChannel.open(Path.of(args[0]));
                FileChannel to = FileChannel.open(copy, StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            System.out.println("sent " + from.transferTo(0, from.size(), to));
            System.out.println("from " + to.transferFrom(from, to.size(), 1000) + ", size " + to.size());
            byte[] extra = ("moment " + System.nanoTime()).getBytes();
            var channel = Channels.newChannel(new ByteArrayInputStream(extra));
            System.out.println("extra " + to.transferFrom(channel, 0, extra.length));
            ByteBuffer head = ByteBuffer.allocate(extra.length);
            to.read(head, 0);
            System.out.println(new String(head.array()));
            System.out.println(Arrays.hashCode(Files.readAllBytes(copy)));
        } catch (NoSuchFileException e) {
            System.out.println("no file " + e.getMessage());
            return;
        }
        try (FileChannel from = FileChannel.open(Path.of("in/data.txt"))) {
            from.transferTo(0, from.size(), Channels.newChannel(System.out));
        }
    }
}
