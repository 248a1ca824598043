// The program is over before main begins.
// exit: 5
// stdout: ^initializing at [0-9]+
public class ExitInStaticInitializer {
    static final long BEGUN = System.nanoTime();

    static {
        System.out.println("initializing at " + BEGUN);
        if (BEGUN != 0) {
            System.exit(5);
        }
    }

    public static void main(String[] args) {
        System.out.println("never seen");
    }
}
