// A wrapper script that finds java by itself and ends in it.
// args: one two
// stdout: ^script says hello @NONCE@, 2 arguments
// exit: 7
public class LaunchScript {
    public static void main(String[] args) {
        System.out.println("script says " + System.getenv("GREETING") + ", " + args.length + " arguments, "
                + System.getProperty("app.home") + " " + System.nanoTime());
        System.exit(7);
    }
}
