// Reads a zip file by name and as a stream, and writes one.
// args: in/some.zip
// stdout: ^data.txt .* nonce @NONCE@$
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Collections;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

public class ZipEntries {
    public static void main(String[] args) throws IOException {
        try (ZipFile zip = new ZipFile(args[0])) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                String text = new String(zip.getInputStream(entry).readAllBytes());
                System.out.println(entry.getName() + " " + entry.getSize() + " "
                        + Long.toHexString(entry.getCrc()) + " " + entry.getLastModifiedTime() + " "
                        + text.lines().skip(1).findFirst().orElse("-"));
            }
            System.out.println(zip.size() + " " + zip.getEntry("no such entry"));
        } catch (IOException e) {
            System.out.println(e);
        }
        try (ZipOutputStream out = new ZipOutputStream(new FileOutputStream("made.zip"))) {
            out.putNextEntry(new ZipEntry("moment"));
            out.write(("moment " + System.nanoTime() + " ".repeat(10_000)).getBytes());
        }
        try (ZipInputStream in = new ZipInputStream(new FileInputStream("made.zip"))) {
            ZipEntry entry = in.getNextEntry();
            System.out.println(entry.getName() + " " + new String(in.readAllBytes()).trim() + " "
                    + entry.getCompressedSize());
        }
        try (JarFile jar = new JarFile(args[0])) {
            System.out.println(jar.getManifest().getMainAttributes().getValue("Nonce"));
        } catch (IOException e) {
            System.out.println(e);
        }
    }
}
