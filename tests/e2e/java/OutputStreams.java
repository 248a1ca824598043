// Much output, in bytes and in text, on both streams in turns, through every door.
// stderr: ^complaint 49 at [0-9]+$
// stdout: ^raw bytes
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

public class OutputStreams {
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 50; i++) {
            System.out.println("line " + i + " at " + System.nanoTime());
            System.err.println("complaint " + i + " at " + System.nanoTime());
        }
        FileOutputStream raw = new FileOutputStream(FileDescriptor.out);
        raw.write("raw bytes\n".getBytes());
        raw.write(new byte[] {0, 1, 2, (byte) 0xff, '\n'});
        FileChannel channel = raw.getChannel();
        channel.write(ByteBuffer.wrap("through a channel\n".getBytes()));
        PrintStream big = new PrintStream(raw, false);
        for (int i = 0; i < 20_000; i++) {
            big.printf("%07d %s%n", i, "x".repeat(i % 50));
        }
        big.flush();
        System.setOut(new PrintStream(new FileOutputStream("redirected")));
        System.out.println("into a file");
        raw.write((big.checkError() + " " + new java.io.File("redirected").length() + "\n").getBytes());
        System.err.write(new byte[] {'e', 'n', 'd', '\n'});
    }
}
