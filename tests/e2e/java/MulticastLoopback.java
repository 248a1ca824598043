// A multicast group on the loopback interface; or the error where there is none.
// stdout: ^local port [1-9]
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.StandardSocketOptions;

public class MulticastLoopback {
    public static void main(String[] args) throws IOException {
        try (MulticastSocket socket = new MulticastSocket(0)) {
            System.out.println("local port " + socket.getLocalPort());
            NetworkInterface loopback = NetworkInterface.getByName("lo");
            var group = new InetSocketAddress(InetAddress.getByName("239.255.17.25"), socket.getLocalPort());
            socket.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopback);
            socket.setTimeToLive(0);
            socket.joinGroup(group, loopback);
            byte[] data = ("moment " + System.nanoTime()).getBytes();
            socket.send(new DatagramPacket(data, data.length, group));
            socket.setSoTimeout(500);
            DatagramPacket packet = new DatagramPacket(new byte[100], 100);
            socket.receive(packet);
            System.out.println(new String(packet.getData(), 0, packet.getLength()));
            System.out.println(socket.getNetworkInterface().getName() + " " + socket.getTimeToLive() + " "
                    + socket.getOption(StandardSocketOptions.IP_MULTICAST_LOOP));
            socket.leaveGroup(group, loopback);
            socket.leaveGroup(group, loopback);
        } catch (IOException e) {
            System.out.println(e);
        }
    }
}
