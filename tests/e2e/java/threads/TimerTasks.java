// Two timers, each with a thread of its own, whose tasks come again, are cancelled, and cancel themselves.
// stdout: ^[0-9]+ runs, order [0-9a-f]+$
import java.util.Timer;
import java.util.TimerTask;

public class TimerTasks {
    static int runs;
    static long order;

    static synchronized int note(int number) {
        order = order * 31 + number;
        return ++runs;
    }

    static TimerTask task(int number, int enough) {
        return new TimerTask() {
            @Override
            public void run() {
                if (note(number) >= enough) {
                    cancel();
                }
            }
        };
    }

    public static void main(String[] args) throws Exception {
        Timer[] timers = {new Timer("first"), new Timer("second", true)};
        Crew.Trail trail = new Crew.Trail();
        for (int i = 0; i < 12; i++) {
            TimerTask task = task(i, i % 4 == 3 ? 20 : 10_000);
            if (i % 2 == 0) {
                timers[i / 2 % 2].schedule(task, i, 1);
            } else {
                timers[i / 2 % 2].scheduleAtFixedRate(task, 0, 2);
            }
            if (i % 5 == 4) {
                Thread.sleep(3);
                trail.saw(task.cancel());
            }
            trail.saw(note(100 + i));
        }
        Thread.sleep(80);
        timers[1].cancel();
        trail.saw(timers[1].purge());
        timers[0].cancel();
        synchronized (TimerTasks.class) {
            System.out.println(runs + " runs, order " + Long.toHexString(order));
        }
        System.out.println("seen " + trail.hex());
    }
}
