// A socket in the file system, as a client and as a server to itself.
// args: tmp/socket
// stdout: ^hello -?[0-9]+$
// stdout: ^from ourselves: moment [0-9]+
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

public class UnixDomainSocket {
    public static void main(String[] args) throws Exception {
        ByteBuffer buffer = ByteBuffer.allocate(500);
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(args[0]))) {
            channel.write(StandardCharsets.UTF_8.encode("hello"));
            channel.read(buffer);
            System.out.println(StandardCharsets.UTF_8.decode(buffer.flip()));
            System.out.println(channel.getRemoteAddress() + " [" + channel.getLocalAddress() + "]");
        } catch (java.io.IOException e) {
            System.out.println(e);
        }
        Files.createDirectories(Path.of("tmp"));
        var address = UnixDomainSocketAddress.of("tmp/own" + System.nanoTime() % 1000);
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address);
                SocketChannel client = SocketChannel.open(address); SocketChannel peer = server.accept()) {
            client.write(StandardCharsets.UTF_8.encode("moment " + System.nanoTime()));
            client.shutdownOutput();
            peer.read(buffer.clear());
            System.out.println("from ourselves: " + StandardCharsets.UTF_8.decode(buffer.flip()));
            System.out.println(peer.read(buffer.clear()) + " " + server.getLocalAddress());
        }
        System.out.println(Files.exists(address.getPath()) + " " + Files.deleteIfExists(address.getPath()));
        try (SocketChannel channel = SocketChannel.open(address)) {
            System.out.println(channel.isConnected());
        } catch (java.io.IOException e) {
            System.out.println(e);
        }
    }
}
