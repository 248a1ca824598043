// A blocking server that others connect to, one after the other.
// stdout: ^got knock 1 @NONCE@$
// stdout: ^got knock 3 @NONCE@$
// stdout: SocketTimeoutException
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;

public class TcpServerAccepts {
    public static void main(String[] args) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
            server.setSoTimeout(2000);
            System.out.println("port " + server.getLocalPort());
            for (int i = 0; i < 3; i++) {
                try (Socket client = server.accept()) {
                    var in = new BufferedReader(new InputStreamReader(client.getInputStream()));
                    System.out.println("got " + in.readLine());
                    System.out.println(client.getRemoteSocketAddress());
                    client.getOutputStream().write("welcome\n".getBytes());
                }
            }
            server.setSoTimeout(20);
            server.accept();
        } catch (SocketTimeoutException e) {
            System.out.println(e);
        }
    }
}
