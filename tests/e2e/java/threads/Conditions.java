// Two conditions of one lock make a bounded buffer: who is signalled, and what it takes out.
// stdout: ^3000 put, 3000 taken, [0-9]+ waits$
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class Conditions {
    static final ReentrantLock LOCK = new ReentrantLock();
    static final Condition ROOM = LOCK.newCondition();
    static final Condition GOODS = LOCK.newCondition();
    static final ArrayDeque<Integer> BUFFER = new ArrayDeque<>();
    static int put;
    static int taken;
    static int waits;

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(6, (number, trail) -> {
            boolean producer = number < 3;
            for (int i = 0; i < 1000; i++) {
                LOCK.lockInterruptibly();
                try {
                    while (producer ? BUFFER.size() == 8 : BUFFER.isEmpty()) {
                        waits++;
                        (producer ? ROOM : GOODS).await();
                    }
                    if (producer) {
                        BUFFER.add(number * 1000 + i);
                        put++;
                        GOODS.signal();
                    } else {
                        trail.saw(BUFFER.remove());
                        taken++;
                        ROOM.signal();
                    }
                } finally {
                    LOCK.unlock();
                }
            }
        });
        System.out.println(put + " put, " + taken + " taken, " + waits + " waits");
        System.out.println("seen " + seen);
    }
}
