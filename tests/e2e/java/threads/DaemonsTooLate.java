// Daemon threads of which the last ones hardly begin before the process ends: who got how far is chance.
// stdout: ^main leaves at [0-9]+$
public class DaemonsTooLate {
    static int steps;

    static void work(int number) {
        for (int i = 0; i < 3; i++) {
            int step;
            synchronized (DaemonsTooLate.class) {
                step = steps++;
                if (step % 8 == number % 8) {
                    System.out.println("daemon " + number + " makes step " + step);
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 60; i++) {
            int number = i;
            Thread daemon = new Thread(() -> work(number));
            daemon.setDaemon(true);
            daemon.start();
            synchronized (DaemonsTooLate.class) {
                steps += 100;
            }
        }
        synchronized (DaemonsTooLate.class) {
            System.out.println("main leaves at " + steps);
        }
    }
}
