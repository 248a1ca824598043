// StackOverflowError caught, many times; how deep it went is the JIT's business and not shown.
// stdout: ^caught 20 times
public class DeepRecursion {
    static int depth;

    static int dive(int level) {
        depth = level;
        return dive(level + 1) + 1;
    }

    public static void main(String[] args) {
        int caught = 0;
        for (int i = 0; i < 20; i++) {
            try {
                dive(0);
            } catch (StackOverflowError e) {
                caught += depth > 100 ? 1 : 0;
            }
        }
        System.out.println("caught " + caught + " times, now " + System.nanoTime());
    }
}
