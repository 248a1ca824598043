// Deflate, inflate, gzip and checksums of random data.
// stdout: ^gzip round trip true
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;

public class Compression {
    public static void main(String[] args) throws Exception {
        byte[] data = new byte[100_000];
        new SecureRandom().nextBytes(data);
        Arrays.fill(data, 30_000, 80_000, data[1]);
        for (var sum : new java.util.zip.Checksum[] {new CRC32(), new CRC32C(), new Adler32()}) {
            sum.update(data);
            System.out.println(sum.getClass().getSimpleName() + " " + Long.toHexString(sum.getValue()));
        }
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(data);
        }
        byte[] back = new GZIPInputStream(new ByteArrayInputStream(packed.toByteArray())).readAllBytes();
        System.out.println("gzip round trip " + Arrays.equals(data, back) + ", " + packed.size() + " bytes, "
                + Arrays.hashCode(packed.toByteArray()));
        Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
        deflater.setInput(data);
        deflater.finish();
        byte[] small = new byte[200_000];
        int length = deflater.deflate(small);
        System.out.println(length + " " + deflater.getTotalIn() + " " + deflater.finished());
        Inflater inflater = new Inflater(true);
        inflater.setInput(small, 0, length);
        System.out.println(inflater.inflate(new byte[50_000]) + " " + inflater.getRemaining() + " "
                + inflater.getBytesRead());
        try {
            Inflater bad = new Inflater();
            bad.setInput(data);
            bad.inflate(small);
        } catch (DataFormatException e) {
            System.out.println(e);
        }
        System.out.println(data[0] + " " + Arrays.hashCode(data));
    }
}
