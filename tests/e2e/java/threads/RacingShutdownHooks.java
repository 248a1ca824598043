// Hooks that run at the same time at the end, and one thread that goes on meanwhile.
// stdout: ^last of 5 hooks: order [0-9a-f]+$
// exit: 3
public class RacingShutdownHooks {
    static int ended;
    static int steps;
    static long order;

    static synchronized int step(int number) {
        order = order * 31 + number;
        return ++steps;
    }

    static void hook(int number) {
        for (int i = 0; i < 300; i++) {
            step(number);
            if (i % 20 == 0) {
                Thread.yield();
            }
        }
        synchronized (RacingShutdownHooks.class) {
            System.out.println("hook " + number + " ends at step " + steps);
            if (++ended == 5) {
                System.out.println("last of 5 hooks: order " + Long.toHexString(order));
                Runtime.getRuntime().halt(3); // before anybody makes another step
            }
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 5; i++) {
            int number = i;
            Runtime.getRuntime().addShutdownHook(new Thread(() -> hook(number), "hook-" + i));
        }
        new Thread(() -> {
            while (step(9) > 0) {
                Thread.yield();
            }
        }).start();
        System.exit(3);
    }
}
