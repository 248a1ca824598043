// Reads again after the end of a file, and once more after it has grown.
// args: in/data.txt
// jvm: -Xint
// stdout: ^grown by 6
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.RandomAccessFile;

public class ReadPastEnd {
    public static void main(String[] args) throws Exception {
        try (FileInputStream in = new FileInputStream(args[0])) {
            byte[] all = in.readAllBytes();
            System.out.print(new String(all));
            System.out.println(in.read() + " " + in.read(all) + " " + in.available() + " " + in.skip(100));
            System.out.println("position " + in.getChannel().position() + " of " + in.getChannel().size());
            in.getChannel().position(all.length);
            try (FileOutputStream out = new FileOutputStream(args[0], true)) {
                out.write("grown\n".getBytes());
            }
            System.out.println("grown by " + in.available() + ": " + new String(in.readAllBytes()).trim());
            System.out.println(in.read());
        }
        try (RandomAccessFile file = new RandomAccessFile(args[0], "r")) {
            file.seek(file.length() + 50);
            System.out.println(file.read() + " at " + file.getFilePointer());
        }
    }
}
