// Runtime.halt: no hooks, no flushing, whatever the status.
// exit: 42
// stdout: ^halting at [0-9]+
import java.io.BufferedOutputStream;
import java.io.PrintStream;

public class RuntimeHalt {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("never seen")));
        PrintStream buffered = new PrintStream(new BufferedOutputStream(System.out, 1000), false);
        buffered.println("never seen either");
        System.out.println("halting at " + System.nanoTime());
        Runtime.getRuntime().halt(42);
    }
}
