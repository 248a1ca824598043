// A child that writes to the program's own standard output: the replay has to show it too.
// limit: what a child writes to standard output by itself is not in the trace
// stdout: ^child [0-9]+$
// stderr: ^child complains
public class ChildInheritsOutput {
    public static void main(String[] args) throws Exception {
        System.out.println("before");
        Process child = new ProcessBuilder("sh", "-c", "echo child $(date +%s%N); echo child complains >&2")
                                .inheritIO()
                                .start();
        System.out.println("exit " + child.waitFor());
    }
}
