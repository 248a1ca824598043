// An empty file: what every way of reading it says.
// args: in/empty
// stdout: ^length 0
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

public class EmptyFile {
    public static void main(String[] args) {
        File file = new File(args[0]);
        System.out.println("length " + file.length() + ", exists " + file.exists());
        try (FileInputStream in = new FileInputStream(file)) {
            System.out.println(in.available() + " " + in.read() + " " + in.read(new byte[10]) + " "
                    + in.read(new byte[0]) + " " + in.readAllBytes().length);
        } catch (IOException e) {
            System.out.println(e);
        }
        try (FileChannel channel = FileChannel.open(Path.of(args[0]))) {
            System.out.println(channel.size() + " " + channel.read(ByteBuffer.allocate(4)));
            System.out.println(Files.readString(Path.of(args[0])).isEmpty());
        } catch (IOException e) {
            System.out.println(e);
        }
    }
}
