// The environment, whole and by name, and a child's copy of it.
// env: CANON_E2E_GREETING=hello @NONCE@
// env: CANON_E2E_EMPTY=
// stdout: ^greeting hello @NONCE@$
import java.util.Map;

public class Environment {
    public static void main(String[] args) {
        System.out.println("greeting " + System.getenv("CANON_E2E_GREETING"));
        System.out.println("empty [" + System.getenv("CANON_E2E_EMPTY") + "], missing "
                + System.getenv("CANON_E2E_NONE"));
        for (Map.Entry<String, String> entry : System.getenv().entrySet()) {
            System.out.println(entry.getKey() + "=" + entry.getValue());
        }
        System.out.println(new ProcessBuilder("true").environment().equals(System.getenv()));
        try {
            System.getenv().put("x", "y");
        } catch (UnsupportedOperationException e) {
            System.out.println("read only");
        }
    }
}
