// Datagrams through channels: blocking and not, scattered, with a selector.
// args: @PORT@
// stdout: ^/127.0.0.1:[0-9]+ said one -?[0-9]+
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;

public class DatagramChannels {
    public static void main(String[] args) throws Exception {
        var server = new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0]));
        try (DatagramChannel channel = DatagramChannel.open(); Selector selector = Selector.open()) {
            channel.bind(new InetSocketAddress("127.0.0.1", 0)).configureBlocking(false);
            System.out.println("bound to " + channel.getLocalAddress());
            ByteBuffer buffer = ByteBuffer.allocateDirect(200);
            System.out.println("nothing yet: " + channel.receive(buffer));
            channel.register(selector, SelectionKey.OP_READ);
            System.out.println("sent " + channel.send(text("one"), server));
            System.out.println("selected " + selector.select(2000));
            System.out.println(
                    channel.receive(buffer) + " said " + StandardCharsets.UTF_8.decode(buffer.flip()));
            channel.connect(server);
            System.out.println(
                    "wrote " + channel.write(new ByteBuffer[] {text("two"), text(" and"), text(" more")}));
            selector.selectedKeys().clear();
            System.out.println("selected " + selector.select(2000));
            ByteBuffer[] parts = {ByteBuffer.allocate(3), ByteBuffer.allocateDirect(100)};
            System.out.println("read " + channel.read(parts) + " " + new String(parts[0].array()) + "|"
                    + StandardCharsets.UTF_8.decode(parts[1].flip()));
        } catch (java.io.IOException e) {
            System.out.println(e);
        }
    }

    static ByteBuffer text(String text) { return StandardCharsets.UTF_8.encode(text); }
}
