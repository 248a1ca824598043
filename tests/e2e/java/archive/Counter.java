/** What the program defines, in every way there is; its volatile accesses are operations only if it is rewritten. */
public class Counter implements Runnable {
    private static volatile int count;

    public void run() {
        int rounds = Integer.getInteger("count", 1000);
        for (int i = 0; i < rounds; i++) {
            count++;
        }
        System.out.println("counted " + count);
    }
}
