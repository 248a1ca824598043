// Options that the user has in the environment already: they count, and java says so as always.
// env: JDK_JAVA_OPTIONS=-Dgreeting=@NONCE@ -Xmx100m
// env: CLASSPATH=classes
// stdout: ^greeting @NONCE@ true
// stderr: ^NOTE: Picked up JDK_JAVA_OPTIONS: -Dgreeting=@NONCE@ -Xmx100m$
public class LaunchUserOptions {
    public static void main(String[] args) {
        System.out.println("greeting " + System.getProperty("greeting") + " "
                + (Runtime.getRuntime().maxMemory() < 120_000_000) + " " + System.nanoTime());
        System.out.println(System.getenv("JDK_JAVA_OPTIONS"));
    }
}
