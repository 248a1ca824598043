// SIGINT to the whole group, as Ctrl-C does it, while the program waits for input that never comes.
// exit: 130
// stdout: ^hook ran at [0-9]+
public class InterruptedFromKeyboard {
    public static void main(String[] args) throws Exception {
        Runtime.getRuntime().addShutdownHook(
                new Thread(() -> System.out.println("hook ran at " + System.nanoTime())));
        System.out.println("ready at " + System.nanoTime());
        System.out.println("read " + System.in.read());
    }
}
