// Draw DIR THREADS: every SVG drawing of a directory to PNG with Batik, and the digest of each picture.

import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.batik.transcoder.TranscoderInput;
import org.apache.batik.transcoder.TranscoderOutput;
import org.apache.batik.transcoder.image.ImageTranscoder;
import org.apache.batik.transcoder.image.PNGTranscoder;

public class Draw {
    public static void main(String[] args) throws Exception {
        List<Path> drawings;
        try (var entries = Files.list(Path.of(args[0]))) {
            drawings = entries.filter(path -> path.toString().endsWith(".svg")).sorted().toList();
        }
        System.out.println("shares " + Crew.share(Integer.parseInt(args[1]), drawings.size(), (worker, number) -> {
            Path drawing = drawings.get(number);
            System.out.println(drawing.getFileName() + " by " + worker + ": " + Crew.digest(draw(drawing)));
        }));
    }

    private static byte[] draw(Path drawing) throws Exception {
        PNGTranscoder transcoder = new PNGTranscoder();
        transcoder.addTranscodingHint(ImageTranscoder.KEY_WIDTH, 400f);
        ByteArrayOutputStream picture = new ByteArrayOutputStream();
        transcoder.transcode(new TranscoderInput(drawing.toUri().toString()), new TranscoderOutput(picture));
        return picture.toByteArray();
    }
}
