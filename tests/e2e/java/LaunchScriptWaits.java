// A wrapper script that starts java as a child and hands on its exit status.
// args: one two
// stdout: ^script says hello @NONCE@, 2 arguments
// exit: 9
public class LaunchScriptWaits {
    public static void main(String[] args) {
        System.out.println("script says " + System.getenv("GREETING") + ", " + args.length + " arguments, "
                + ProcessHandle.current().pid() + " " + System.nanoTime());
        System.exit(9);
    }
}
