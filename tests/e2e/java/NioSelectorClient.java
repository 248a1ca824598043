// A non-blocking client with a selector: connecting, writing, reading in pieces.
// args: @PORT@
// stdout: ^connected
// stdout: ^answer hello -?[0-9]+$
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

public class NioSelectorClient {
    public static void main(String[] args) throws Exception {
        ByteBuffer buffer = ByteBuffer.allocateDirect(4096);
        StringBuilder text = new StringBuilder();
        try (Selector selector = Selector.open(); SocketChannel channel = SocketChannel.open()) {
            channel.configureBlocking(false);
            var server = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
            System.out.println("at once: " + channel.connect(server));
            channel.register(selector, SelectionKey.OP_CONNECT);
            while (channel.isOpen()) {
                System.out.println("selected " + selector.select(5000));
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isConnectable()) {
                        System.out.println(
                                "connected " + channel.finishConnect() + " " + channel.getLocalAddress());
                        key.interestOps(SelectionKey.OP_WRITE);
                    } else if (key.isWritable()) {
                        channel.write(StandardCharsets.UTF_8.encode("hello\nslow\nbye\n"));
                        key.interestOps(SelectionKey.OP_READ);
                    } else if (key.isReadable()) {
                        int n = channel.read(buffer);
                        System.out.println("read " + n);
                        text.append(StandardCharsets.UTF_8.decode(buffer.flip()));
                        buffer.clear();
                        if (n < 0) {
                            channel.close();
                        }
                    }
                }
                selector.selectedKeys().clear();
            }
            System.out.println(selector.selectNow() + " " + selector.keys().size());
        } catch (java.io.IOException e) {
            System.out.println(e);
        }
        text.toString().lines().forEach(line -> System.out.println("answer " + line));
    }
}
