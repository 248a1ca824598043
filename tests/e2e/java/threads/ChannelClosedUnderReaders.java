// Threads read one file by one channel, and one of them closes it: how far the others come, and what they are told.
// stdout: ^round 0: [0-9]+ reads, .*trails [0-9a-f]+$
// stdout: ^round 7: [0-9]+ reads, .*trails [0-9a-f]+$
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

public class ChannelClosedUnderReaders {
    public static void main(String[] args) throws Exception {
        Path file = Files.createTempFile("channel", ".bin");
        Files.write(file, new byte[10_000]);
        for (int round = 0; round < 8; round++) {
            readAndClose(file, round);
        }
        Files.delete(file);
    }

    private static void readAndClose(Path file, int round) throws Exception {
        AtomicInteger reads = new AtomicInteger(), early = new AtomicInteger(), late = new AtomicInteger();
        FileChannel channel = FileChannel.open(file);
        String trails = Crew.run(4, (number, trail) -> {
            ByteBuffer buffer = ByteBuffer.allocate(100);
            try {
                for (int i = 0; i < 100 + 40 * round; i++) {
                    trail.saw(number < 2 ? channel.read(buffer.clear(), 100 * i % 9000) : channel.read(buffer.clear()));
                    reads.incrementAndGet();
                }
                channel.close();
            } catch (AsynchronousCloseException e) {
                trail.saw(early.incrementAndGet());
            } catch (ClosedChannelException e) {
                trail.saw(late.incrementAndGet());
            }
        });
        System.out.println("round " + round + ": " + reads + " reads, " + early + " closed under them, " + late
                + " after that, trails " + trails);
    }
}
