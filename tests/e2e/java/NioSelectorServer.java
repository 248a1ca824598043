// A non-blocking server: accepts several connections with one selector and echoes.
// stdout: ^served 2, [0-9]+ bytes
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

public class NioSelectorServer {
    static int served;
    static int bytes;

    public static void main(String[] args) throws Exception {
        try (Selector selector = Selector.open(); ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            System.out.println("port " + server.socket().getLocalPort());
            while (served < 2 && selector.select(key -> serve(selector, key), 5000) > 0) {
                System.out.println("turn, " + selector.keys().size() + " keys");
            }
        }
        System.out.println("served " + served + ", " + bytes + " bytes");
    }

    static void serve(Selector selector, SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                SocketChannel client = ((ServerSocketChannel) key.channel()).accept();
                client.configureBlocking(false);
                client.register(selector, SelectionKey.OP_READ, ByteBuffer.allocate(1000));
                System.out.println("from " + client.getRemoteAddress());
                return;
            }
            SocketChannel client = (SocketChannel) key.channel();
            ByteBuffer buffer = (ByteBuffer) key.attachment();
            int n = client.read(buffer);
            if (n < 0) {
                served++;
                client.close();
                return;
            }
            System.out.println(new String(buffer.array(), 0, n).trim());
            bytes += client.write(buffer.flip());
            buffer.clear();
        } catch (java.io.IOException e) {
            System.out.println(e);
        }
    }
}
