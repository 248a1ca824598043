// Recorded on a terminal, replayed without one: lines, a password, formatted output.
// terminal: record
// stdout: hello canon, your secret has 16 letters
import java.io.Console;

public class ConsoleOnTerminal {
    public static void main(String[] args) {
        Console console = System.console();
        if (console == null) {
            System.out.println("no console");
            return;
        }
        String name = console.readLine("name? ");
        char[] secret = console.readPassword("secret of %s? ", name);
        console.printf("hello %s, your secret has %d letters, hash %d%n", name, secret.length,
                new String(secret).hashCode());
        console.flush();
        System.out.println(console.charset() + " " + (System.console() == console));
    }
}
