// One thread that is server and client at once: ports, half-closed streams, urgent data, addresses.
// stdout: ^server read ping
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

public class LoopbackSelf {
    public static void main(String[] args) throws Exception {
        InetAddress here = InetAddress.getByName("127.0.0.1");
        try (ServerSocket server = new ServerSocket(0, 5, here); Socket client = new Socket()) {
            client.bind(new InetSocketAddress(here, 0));
            client.connect(server.getLocalSocketAddress(), 1000);
            try (Socket peer = server.accept()) {
                System.out.println(client.getLocalSocketAddress() + " -> " + client.getRemoteSocketAddress());
                System.out.println(peer.getPort() == client.getLocalPort());
                client.getOutputStream().write("ping".getBytes());
                peer.setOOBInline(true);
                client.sendUrgentData('!');
                client.shutdownOutput();
                InputStream in = peer.getInputStream();
                System.out.println("server read " + new String(in.readAllBytes()) + ", then " + in.read());
                peer.getOutputStream().write(Long.toString(System.nanoTime()).getBytes());
                peer.close();
                System.out.println("client read " + new String(client.getInputStream().readAllBytes()));
                System.out.println(
                        client.isInputShutdown() + " " + client.isOutputShutdown() + " " + peer.isClosed());
            }
        } catch (java.io.IOException e) {
            System.out.println(e);
        }
    }
}
