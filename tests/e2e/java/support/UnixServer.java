import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Random;

// On a socket in the file system: answers what it is sent with the same and a random number.
final class UnixServer {
    public static void main(String[] args) throws Exception {
        Lifetime.begin();
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(args[0]));
        System.out.println("port none");
        while (true) {
            try (SocketChannel client = server.accept()) {
                ByteBuffer buffer = ByteBuffer.allocate(4096);
                while (client.read(buffer) >= 0) {
                    buffer.put((" " + new Random().nextInt()).getBytes()).flip();
                    client.write(buffer);
                    buffer.clear();
                }
            }
        }
    }
}
