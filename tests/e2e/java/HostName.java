// The name of this machine.
// needs: namespaces
// stdout: ^kernel says [^ ]+
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

public class HostName {
    public static void main(String[] args) throws Exception {
        System.out.println("kernel says " + Files.readString(Path.of("/proc/sys/kernel/hostname")).trim());
        try {
            InetAddress local = InetAddress.getLocalHost();
            System.out.println(local + " " + local.getHostName() + " " + local.getCanonicalHostName());
        } catch (UnknownHostException e) {
            System.out.println(e.getMessage());
        }
    }
}
