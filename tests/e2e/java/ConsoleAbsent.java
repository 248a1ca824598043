// Recorded without a terminal, replayed on one.
// terminal: replay
// stdin: nonce @NONCE@
// stdout: ^(no console|not a terminal)
import java.io.Console;

public class ConsoleAbsent {
    public static void main(String[] args) throws Exception {
        Console console = System.console();
        if (console == null) {
            System.out.println("no console");
            System.out.println(new String(System.in.readAllBytes()).trim());
        } else {
            System.out.println("a console of " + console.getClass().getName());
        }
    }
}
