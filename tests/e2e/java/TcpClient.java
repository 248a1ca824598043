// A blocking client: lines, bulk data, a read that times out, the end of the stream.
// args: @PORT@
// stdout: ^hello -?[0-9]+$
// stdout: ^bulk 400000
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Arrays;

public class TcpClient {
    public static void main(String[] args) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]))) {
            talk(socket);
        } catch (IOException e) {
            System.out.println(e);
        }
    }

    @SuppressWarnings("deprecation")
    static void talk(Socket socket) throws IOException {
        System.out.println("from port " + socket.getLocalPort() + " " + socket.isConnected());
        DataInputStream in = new DataInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        out.write("hello\n".getBytes());
        System.out.println(in.readLine());
        out.write("slow\n".getBytes());
        System.out.println(in.readLine() + " " + in.available());
        out.write("bulk 400000\n".getBytes());
        byte[] bulk = new byte[400_000];
        in.readFully(bulk);
        System.out.println("bulk 400000: " + Arrays.hashCode(bulk));
        socket.setSoTimeout(50);
        try {
            in.read();
        } catch (SocketTimeoutException e) {
            System.out.println(e);
        }
        out.write("bye\n".getBytes());
        socket.setSoTimeout(5000);
        System.out.println(in.read() + " " + in.read());
        socket.shutdownOutput();
        try {
            out.write(1);
        } catch (IOException e) {
            System.out.println(e);
        }
    }
}
