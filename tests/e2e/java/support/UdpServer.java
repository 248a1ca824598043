import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.Random;

// Answers a datagram with what was in it and a random number; says nothing to "silence".
final class UdpServer {
    public static void main(String[] args) throws Exception {
        Lifetime.begin();
        Random random = new Random();
        DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        System.out.println("port " + socket.getLocalPort());
        DatagramPacket packet = new DatagramPacket(new byte[2000], 2000);
        while (true) {
            packet.setLength(2000);
            socket.receive(packet);
            String text = new String(packet.getData(), 0, packet.getLength());
            if (!text.equals("silence")) {
                byte[] answer = (text + " " + random.nextInt()).getBytes();
                socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
            }
        }
    }
}
