// Every network interface with its addresses and properties.
// needs: namespaces
// stdout: ^lo index [0-9]+, mtu [0-9]+, up true
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.util.Arrays;
import java.util.Collections;

public class NetworkInterfaces {
    public static void main(String[] args) throws Exception {
        for (NetworkInterface one : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            System.out.println(one.getName() + " index " + one.getIndex() + ", mtu " + one.getMTU() + ", up "
                    + one.isUp());
            System.out.println("  " + one.isLoopback() + one.isPointToPoint() + one.supportsMulticast()
                    + one.isVirtual() + " " + Arrays.toString(one.getHardwareAddress()));
            for (InterfaceAddress address : one.getInterfaceAddresses()) {
                System.out.println("  " + address.getAddress() + " /" + address.getNetworkPrefixLength() + " "
                        + address.getBroadcast());
                System.out.println("  " + NetworkInterface.getByInetAddress(address.getAddress()).getName());
            }
        }
        System.out.println(
                NetworkInterface.getByName("no-such0") + " " + NetworkInterface.getByIndex(1).getName());
    }
}
