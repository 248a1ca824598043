// Joins with a time-out: some threads are over by then, some are not; some are joined by two, one joins itself.
// stdout: ^40 joins were enough, [0-9]+ were not$
public class ThreadJoinTimed {
    static void nap(int number) {
        try {
            Thread.sleep(number % 5, number * 20_000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        int[] tooShort = new int[2];
        String seen = Crew.run(2, (number, trail) -> {
            Thread.currentThread().join(1); // nobody outlives itself
            for (int i = 0; i < 20; i++) {
                int napper = i;
                Thread sleeper = new Thread(() -> nap(napper));
                sleeper.start();
                while (sleeper.isAlive()) {
                    sleeper.join(1, 100_000 * number);
                    tooShort[number] += sleeper.isAlive() ? 1 : 0;
                    trail.saw(sleeper.isAlive());
                }
            }
        });
        System.out.println("40 joins were enough, " + (tooShort[0] + tooShort[1]) + " were not");
        System.out.println("seen " + seen);
    }
}
