// Options of sockets: asked for, set, asked again; those of jdk.net too.
// stdout: ^TCP_NODELAY true
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.TreeMap;
import jdk.net.ExtendedSocketOptions;

public class SocketOptions {
    public static void main(String[] args) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"));
                SocketChannel client = SocketChannel.open(server.getLocalSocketAddress())) {
            System.out.println("ports " + server.getLocalPort() + " "
                    + ((InetSocketAddress) client.getLocalAddress()).getPort());
            client.setOption(StandardSocketOptions.TCP_NODELAY, true);
            client.setOption(StandardSocketOptions.SO_RCVBUF, 20_000);
            client.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 77);
            TreeMap<String, Object> values = new TreeMap<>();
            for (SocketOption<?> option : client.supportedOptions()) {
                try {
                    values.put(option.name(), String.valueOf(client.getOption(option)));
                } catch (IOException | UnsupportedOperationException e) {
                    values.put(option.name(), e);
                }
            }
            values.forEach((name, value) -> System.out.println(name + " " + value));
            Socket socket = client.socket();
            System.out.println(
                    socket.getTrafficClass() + " " + socket.getSoLinger() + " " + socket.getSendBufferSize());
        } catch (IOException e) {
            System.out.println(e);
        }
    }
}
