// The program brings a Java agent of its own.
// stdout: ^premain @NONCE@ at [0-9]+
// stdout: ^seen LaunchWithJavaAgent
public class LaunchWithJavaAgent {
    static class Nested {
        static final long MOMENT = System.nanoTime();
    }

    public static void main(String[] args) {
        System.out.println("seen " + System.getProperty("premain.seen"));
        System.out.println(Nested.MOMENT + " " + System.getProperty("premain.seen") + " "
                + System.getProperty("premain.size"));
    }
}
