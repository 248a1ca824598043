// Datagrams: sent, received, a time-out, connected and not, nobody listening.
// args: @PORT@
// stdout: ^one -?[0-9]+ from /127.0.0.1:[0-9]+
// stdout: SocketTimeoutException
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;

public class DatagramExchange {
    public static void main(String[] args) throws IOException {
        InetAddress here = InetAddress.getByName("127.0.0.1");
        var server = new InetSocketAddress(here, Integer.parseInt(args[0]));
        try (DatagramSocket socket = new DatagramSocket(0, here)) {
            socket.setSoTimeout(2000);
            System.out.println(
                    "local " + socket.getLocalSocketAddress() + " " + socket.getReceiveBufferSize());
            ask(socket, server, "one");
            socket.connect(server);
            ask(socket, server, "two");
            System.out.println(socket.getRemoteSocketAddress());
            socket.disconnect();
            socket.setSoTimeout(30);
            ask(socket, server, "silence");
        }
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(1000);
            socket.connect(new InetSocketAddress(here, 1));
            ask(socket, new InetSocketAddress(here, 1), "anybody");
        }
    }

    static void ask(DatagramSocket socket, InetSocketAddress server, String text) {
        try {
            socket.send(new DatagramPacket(text.getBytes(), text.length(), server));
            DatagramPacket answer = new DatagramPacket(new byte[100], 100);
            socket.receive(answer);
            System.out.println(new String(answer.getData(), 0, answer.getLength()) + " from "
                    + answer.getSocketAddress());
        } catch (IOException e) {
            System.out.println(e);
        }
    }
}
