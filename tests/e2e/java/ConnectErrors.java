// What the network throws: refused, unknown, in use, closed, timed out.
// stdout: ^java.net.ConnectException
// stdout: ^java.net.UnknownHostException
// stdout: ^java.net.BindException
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;

public class ConnectErrors {
    static void show(Callable<?> step) {
        try {
            System.out.println(step.call());
        } catch (Exception e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) throws IOException {
        InetAddress here = InetAddress.getByName("127.0.0.1");
        int free;
        try (ServerSocket server = new ServerSocket(0, 5, here)) {
            free = server.getLocalPort();
            show(() -> new ServerSocket(server.getLocalPort(), 5, here));
        }
        System.out.println("free port " + free);
        show(() -> new Socket(here, free));
        show(() -> SocketChannel.open(new InetSocketAddress(here, free)));
        show(() -> InetAddress.getByName("x".repeat(70) + ".example"));
        show(() -> new Socket("bad host name", 80));
        show(() -> InetAddress.getByAddress(new byte[3]));
        show(() -> InetAddress.getByName("300.1.2.3.4"));
        show(() -> new ServerSocket(0, 5, InetAddress.getByName("203.0.113.7")));
        Socket socket = new Socket();
        socket.close();
        show(socket::getInputStream);
        ServerSocket closed = new ServerSocket(0);
        closed.close();
        show(closed::accept);
        try (ServerSocket server = new ServerSocket(0, 5, here);
                Socket client = new Socket(here, server.getLocalPort())) {
            try (Socket peer = server.accept()) {
                peer.setSoLinger(true, 0);
            }
            show(() -> client.getInputStream().read());
        }
    }
}
