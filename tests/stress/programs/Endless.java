// Endless FILE: never ends by itself. It reads, writes, asks the clock, loads classes, makes garbage, and says a numbered
// line about it after every round, in one write.

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32;

public class Endless {
    private static final String[] LIBRARY = {"java.util.logging.Logger", "java.text.MessageFormat", "java.util.Scanner",
        "java.net.http.HttpRequest", "java.util.concurrent.ForkJoinPool", "java.sql.Timestamp", "java.math.BigDecimal",
        "javax.xml.parsers.SAXParserFactory", "java.util.jar.JarFile", "java.security.KeyPairGenerator"};

    public static void main(String[] args) throws Exception {
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        Path log = Path.of("endless.log");
        List<byte[]> kept = new ArrayList<>();
        for (int round = 0;; round++) {
            long sum = read(args[0], round);
            String line = round + " " + Long.toHexString(sum) + " " + LocalDateTime.now() + " " + UUID.randomUUID() + "\n";
            Files.writeString(log, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            kept.add(new byte[64 * 1024]);
            if (kept.size() > 300)
                kept.clear();
            if (round % 10 == 0)
                load(round / 10);
            out.write(line.getBytes(StandardCharsets.UTF_8)); // unbuffered: one write of the whole line
        }
    }

    private static long read(String file, int round) throws IOException {
        CRC32 crc = new CRC32();
        byte[] buffer = new byte[1 + round % 4000];
        try (InputStream in = new FileInputStream(file)) {
            for (int n, reads = 0; reads < 8 && (n = in.read(buffer)) > 0; reads++)
                crc.update(buffer, 0, n);
        }
        return crc.getValue();
    }

    private static void load(int number) throws ClassNotFoundException {
        Class.forName(LIBRARY[number % LIBRARY.length]);
        Proxy.newProxyInstance(Endless.class.getClassLoader(), new Class<?>[] {Runnable.class, Comparable.class},
            (proxy, method, arguments) -> 0).hashCode();
    }
}
