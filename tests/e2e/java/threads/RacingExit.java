// Several threads call System.exit: one of them ends the program, the others never come back.
// stdout: ^[0-9]+ steps, hash [0-9a-f]+, exit by [0-3]$
// exit: 7
public class RacingExit {
    static int steps;
    static long order;
    static int first = -1;

    static synchronized boolean step(int number) {
        order = order * 31 + number;
        if (++steps >= 5000 && first < 0) {
            first = number;
        }
        return steps < 5000;
    }

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            synchronized (RacingExit.class) {
                System.out.println(steps + " steps, hash " + Long.toHexString(order) + ", exit by " + first);
            }
        }));
        for (int i = 0; i < 4; i++) {
            int number = i;
            new Thread(() -> {
                while (step(number)) {
                    if (order() % 16 == 0) {
                        Thread.yield();
                    }
                }
                System.exit(7);
            }).start();
        }
    }

    static synchronized long order() {
        return order;
    }
}
