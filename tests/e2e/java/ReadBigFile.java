// Reads several megabytes of random bytes in big and in small pieces.
// args: in/big.bin
// stdout: ^at once 5000001 bytes
import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;

public class ReadBigFile {
    public static void main(String[] args) throws Exception {
        byte[] all = Files.readAllBytes(Path.of(args[0]));
        CRC32 sum = new CRC32();
        sum.update(all);
        System.out.println("at once " + all.length + " bytes, crc " + Long.toHexString(sum.getValue()));

        System.out.println(inPiecesOf(args[0], 65536));
        System.out.println(inPiecesOf(args[0], 1_000_003));
        try (InputStream in = new BufferedInputStream(new FileInputStream(args[0]))) {
            long bytes = 0;
            int xor = 0;
            for (int b = in.read(); b >= 0; b = in.read()) {
                xor = xor * 31 + b;
                bytes++;
            }
            System.out.println("byte by byte " + bytes + ", " + xor);
        }
    }

    static String inPiecesOf(String name, int size) throws Exception {
        CRC32 sum = new CRC32();
        byte[] piece = new byte[size];
        int reads = 0;
        try (InputStream in = new FileInputStream(name)) {
            for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
                sum.update(piece, 0, n);
                reads++;
            }
        }
        return "pieces of " + size + ": " + reads + " reads, crc " + Long.toHexString(sum.getValue());
    }
}
