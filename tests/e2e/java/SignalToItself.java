// Signals a program sends to itself: one it handles, one that ends it.
// exit: 143
// stdout: ^handled HUP
import sun.misc.Signal;

public class SignalToItself {
    static volatile boolean handled;

    public static void main(String[] args) throws Exception {
        Signal.handle(new Signal("HUP"), signal -> {
            System.out.println("handled " + signal.getName() + " at " + System.nanoTime());
            handled = true;
        });
        Signal.raise(new Signal("HUP"));
        while (!handled) {
            Thread.sleep(1);
        }
        try {
            Signal.handle(new Signal("SEGV"), signal -> { });
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Signal.raise(new Signal("TERM"));
        Thread.sleep(20_000);
    }
}
