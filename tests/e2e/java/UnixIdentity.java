// Who the program runs as: users and groups by number.
// stdout: ^uid [0-9]+
import com.sun.security.auth.module.UnixSystem;
import java.util.Arrays;

public class UnixIdentity {
    public static void main(String[] args) {
        UnixSystem unix = new UnixSystem();
        System.out.println("uid " + unix.getUid() + " " + unix.getUsername() + ", gid " + unix.getGid() + " "
                + Arrays.toString(unix.getGroups()));
        System.out.println(System.getProperty("user.name") + " " + System.getProperty("user.home"));
        System.out.println(ProcessHandle.current().pid());
    }
}
