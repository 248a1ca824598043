// Things that may be taken only after a while, by threads that wait for the first of them.
// stdout: ^120 delayed, order [0-9a-f]+$
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

public class DelayQueues {
    record Parcel(int number, long due) implements Delayed {
        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(due - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(due - ((Parcel) other).due, 0);
        }
    }

    static int taken;
    static long order;

    static synchronized int note(int number) {
        order = order * 31 + number;
        return ++taken;
    }

    public static void main(String[] args) throws Exception {
        DelayQueue<Parcel> queue = new DelayQueue<>();
        String seen = Crew.run(5, (number, trail) -> {
            for (int i = 0; i < (number < 2 ? 60 : 40); i++) {
                if (number < 2) {
                    queue.put(new Parcel(number * 60 + i, System.nanoTime() + i * 37 % 60 * 1_000_000L));
                } else {
                    Parcel parcel = queue.take();
                    trail.saw(parcel.number());
                    trail.saw(note(parcel.number()));
                }
            }
        });
        System.out.println(taken + " delayed, order " + Long.toHexString(order));
        System.out.println("seen " + seen);
    }
}
