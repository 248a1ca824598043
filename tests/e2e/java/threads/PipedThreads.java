// Threads that talk through piped streams, readers and writers: how much one finds there at a time.
// stdout: ^20000 bytes and 5000 chars in [0-9]+ pieces$
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PipedReader;
import java.io.PipedWriter;

public class PipedThreads {
    public static void main(String[] args) throws Exception {
        PipedInputStream bytesIn = new PipedInputStream(256);
        PipedOutputStream bytesOut = new PipedOutputStream(bytesIn);
        PipedReader charsIn = new PipedReader(64);
        PipedWriter charsOut = new PipedWriter(charsIn);
        int[] total = new int[4];
        int[] pieces = new int[4];
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; number == 0 && i < 200; i++) {
                bytesOut.write(new byte[100]);
                bytesOut.flush();
            }
            for (int i = 0; number == 1 && i < 1000; i++) {
                charsOut.write("piece");
                charsOut.flush();
            }
            if (number == 0) {
                bytesOut.close();
            } else if (number == 1) {
                charsOut.close();
            } else {
                byte[] bytes = new byte[200];
                char[] chars = new char[40];
                for (int n = 0; n >= 0; n = number == 2 ? bytesIn.read(bytes) : charsIn.read(chars)) {
                    total[number] += n;
                    pieces[number]++;
                    trail.saw(n);
                }
            }
        });
        System.out.println(total[2] + " bytes and " + total[3] + " chars in " + (pieces[2] + pieces[3]) + " pieces");
        System.out.println("seen " + seen);
    }
}
