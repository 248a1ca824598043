// SIGTERM while the program sleeps: its hook runs, the trace is complete.
// exit: 143
// stdout: ^hook ran at [0-9]+
public class TerminatedBySignal {
    public static void main(String[] args) throws Exception {
        Runtime.getRuntime().addShutdownHook(
                new Thread(() -> System.out.println("hook ran at " + System.nanoTime())));
        System.out.println("ready at " + System.nanoTime());
        Thread.sleep(8000);
        System.out.println("nobody came");
    }
}
