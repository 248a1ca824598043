// JAVA_TOOL_OPTIONS of the user's own: they count, and the JVM says so as always.
// env: JAVA_TOOL_OPTIONS=-Dgreeting=@NONCE@
// stdout: ^greeting @NONCE@ [0-9]+$
// stderr: ^Picked up JAVA_TOOL_OPTIONS: -Dgreeting=@NONCE@$
public class LaunchToolOptions {
    public static void main(String[] args) {
        System.out.println("greeting " + System.getProperty("greeting") + " " + System.nanoTime());
    }
}
