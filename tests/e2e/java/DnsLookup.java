// Names to addresses and back, what is reachable.
// needs: namespaces
// stdout: localhost/127.0.0.1
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

public class DnsLookup {
    public static void main(String[] args) throws Exception {
        System.out.println(Arrays.toString(InetAddress.getAllByName("localhost")));
        InetAddress here = InetAddress.getByName("127.0.0.1");
        System.out.println(
                here.getHostName() + " " + here.getCanonicalHostName() + " " + here.isLoopbackAddress());
        System.out.println(InetAddress.getByName("::1") instanceof Inet6Address);
        System.out.println(InetAddress.getLoopbackAddress());
        try {
            System.out.println(InetAddress.getByName("y".repeat(64) + ".example"));
        } catch (UnknownHostException e) {
            System.out.println(e.getMessage());
        }
        System.out.println("reachable " + here.isReachable(500));
    }
}
