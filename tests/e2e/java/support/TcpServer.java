import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;

// Answers each line it is sent with the line and a random number; "bulk N" with N random bytes;
// "slow" in two pieces; closes the connection on "bye".
final class TcpServer {
    public static void main(String[] args) throws Exception {
        Lifetime.begin();
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        System.out.println("port " + server.getLocalPort());
        while (true) {
            try (Socket client = server.accept()) {
                talk(client);
            } catch (java.io.IOException e) {
                System.out.println(e);
            }
        }
    }

    private static void talk(Socket client) throws java.io.IOException {
        Random random = new Random();
        BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream()));
        OutputStream out = client.getOutputStream();
        client.setTcpNoDelay(true);
        for (String line = in.readLine(); line != null && !line.equals("bye"); line = in.readLine()) {
            if (line.startsWith("bulk ")) {
                byte[] bytes = new byte[Integer.parseInt(line.substring(5))];
                random.nextBytes(bytes);
                out.write(bytes);
                continue;
            }
            out.write((line + " " + random.nextInt()).getBytes());
            if (line.equals("slow")) {
                out.flush();
                pause();
            }
            out.write('\n');
        }
    }

    private static void pause() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
