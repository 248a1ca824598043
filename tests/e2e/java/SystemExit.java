// System.exit from deep inside, past finally blocks, with files still open.
// args: in/data.txt
// exit: 3
// stdout: ^leaving, nonce @NONCE@
import java.io.BufferedReader;
import java.io.FileReader;

public class SystemExit {
    public static void main(String[] args) throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.err.flush()));
        try (BufferedReader in = new BufferedReader(new FileReader(args[0]))) {
            in.readLine();
            leave(in.readLine(), 50);
        } finally {
            System.out.println("never seen");
        }
    }

    static void leave(String text, int depth) {
        if (depth > 0) {
            leave(text, depth - 1);
        }
        System.out.println("leaving, " + text + " " + System.nanoTime());
        System.exit(3);
    }
}
