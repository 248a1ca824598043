// Scattering reads and gathering writes, with buffers on and off the heap.
// args: in/data.txt
// stdout: ^wrote [0-9]+ bytes
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

public class ScatterGather {
    public static void main(String[] args) throws Exception {
        ByteBuffer[] buffers = {ByteBuffer.allocate(7), ByteBuffer.allocateDirect(11), ByteBuffer.allocate(0),
                ByteBuffer.allocateDirect(1000)};
        try (FileChannel in = FileChannel.open(Path.of(args[0]))) {
            System.out.println("read " + in.read(buffers) + " bytes, at " + in.position());
        } catch (NoSuchFileException e) {
            System.out.println("no file");
        }
        for (ByteBuffer buffer : buffers) {
            System.out.println("[" + StandardCharsets.UTF_8.decode(buffer.flip()) + "]");
            buffer.rewind();
        }
        buffers[2] = ByteBuffer.wrap(("moment " + System.nanoTime()).getBytes());
        try (FileChannel out = FileChannel.open(Path.of("gathered"), StandardOpenOption.CREATE,
                     StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            System.out.println("wrote " + out.write(buffers) + " bytes");
            out.write(ByteBuffer.wrap("!".getBytes()), 3);
            ByteBuffer all = ByteBuffer.allocate((int) out.size());
            out.position(0);
            out.read(all);
            System.out.println(new String(all.array()));
            out.truncate(5).force(true);
            System.out.println(out.size() + " " + out.position());
        }
    }
}
