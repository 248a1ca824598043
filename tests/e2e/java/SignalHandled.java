// A signal that the program handles by itself, and goes on.
// stdout: ^handled HUP 1$
import sun.misc.Signal;

public class SignalHandled {
    static volatile Signal seen;

    public static void main(String[] args) throws Exception {
        Signal.handle(new Signal("HUP"), signal -> seen = signal);
        System.out.println("ready at " + System.nanoTime());
        for (int i = 0; i < 800 && seen == null; i++) {
            Thread.sleep(10);
        }
        System.out.println(
                seen == null ? "nobody came" : "handled " + seen.getName() + " " + seen.getNumber());
        System.out.println("after at " + System.nanoTime());
    }
}
