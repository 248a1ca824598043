// java.util.prefs: values of an earlier run, new ones, its files and locks.
// jvm: -Djava.util.prefs.userRoot=@WORLD@/home -Djava.util.prefs.systemRoot=@WORLD@/home
// stdout: ^earlier @NONCE@$
import java.util.Arrays;
import java.util.prefs.Preferences;

public class UserPreferences {
    public static void main(String[] args) throws Exception {
        Preferences node = Preferences.userRoot().node("canon/e2e");
        System.out.println("earlier " + node.get("nonce", "nothing"));
        node.putLong("moment", System.nanoTime());
        node.put("text", "größer");
        node.node("child").putBoolean("flag", true);
        node.flush();
        node.sync();
        System.out.println(Arrays.toString(node.keys()) + " " + Arrays.toString(node.childrenNames()));
        System.out.println(node.getLong("moment", 0) + " " + node.node("child").getBoolean("flag", false));
        node.node("child").removeNode();
        System.out.println(node.nodeExists("child") + " " + node.absolutePath() + " " + node.isUserNode());
    }
}
