// Rasterise DIR: every SVG drawing of a directory to PNG with Batik, and the digest of each picture.

import java.io.BufferedOutputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.apache.batik.transcoder.TranscoderInput;
import org.apache.batik.transcoder.TranscoderOutput;
import org.apache.batik.transcoder.image.ImageTranscoder;
import org.apache.batik.transcoder.image.PNGTranscoder;

public class Rasterise {
    public static void main(String[] args) throws Exception {
        List<Path> drawings;
        try (var entries = Files.list(Path.of(args[0]))) {
            drawings = entries.filter(path -> path.toString().endsWith(".svg")).sorted().toList();
        }
        for (Path drawing : drawings) {
            Path picture = Path.of(drawing.toString().replace(".svg", ".png"));
            long started = System.nanoTime();
            draw(drawing, picture);
            byte[] bytes = Files.readAllBytes(picture);
            String digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
            System.out.println(picture.getFileName() + " " + bytes.length + " bytes " + digest + " in "
                    + (System.nanoTime() - started) / 1000 + " us");
        }
    }

    private static void draw(Path drawing, Path picture) throws Exception {
        PNGTranscoder transcoder = new PNGTranscoder();
        transcoder.addTranscodingHint(ImageTranscoder.KEY_WIDTH, 400f);
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(picture))) {
            transcoder.transcode(new TranscoderInput(drawing.toUri().toString()), new TranscoderOutput(out));
        }
    }
}
