// RandomAccessFile: seek, read, write, shorten, lengthen, all the primitive types.
// args: in/data.txt
// stdout: ^nonce @NONCE@$
import java.io.RandomAccessFile;
import java.io.IOException;

public class RandomAccess {
    public static void main(String[] args) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(args[0], "rw")) {
            System.out.println(file.length() + " " + file.readLine());
            System.out.println(file.readLine());
            long end = file.length();
            file.seek(end);
            file.writeLong(System.nanoTime());
            file.writeUTF("größer");
            file.writeDouble(Math.PI);
            file.seek(end);
            System.out.println(file.readLong() + " " + file.readUTF() + " " + file.readDouble());
            System.out.println(file.getFilePointer() + " of " + file.length());
            file.setLength(5);
            file.seek(0);
            System.out.println(file.readLine() + " " + file.read() + " " + file.getFilePointer());
            file.setLength(100);
            file.seek(50);
            System.out.println(file.readByte() + " " + file.skipBytes(1000) + " " + file.getFD().valid());
            file.getFD().sync();
            file.readFully(new byte[10]);
        } catch (java.io.EOFException e) {
            System.out.println("end of file");
        }
        try (RandomAccessFile file = new RandomAccessFile(args[0], "r")) {
            file.write(1);
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
    }
}
