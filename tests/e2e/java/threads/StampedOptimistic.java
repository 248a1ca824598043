// Optimistic reads under a StampedLock: how often a writer came in between, and what was read at last.
// The two fields are volatile, because an optimistic reader looks at them while they are written.
// stdout: ^15000 reads were consistent, [0-9]+ of them optimistic$
import java.util.concurrent.locks.StampedLock;

public class StampedOptimistic {
    static final StampedLock LOCK = new StampedLock();
    static volatile int left;
    static volatile int right;

    public static void main(String[] args) throws Exception {
        int[] consistent = new int[4];
        int[] optimistic = new int[4];
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 5000; i++) {
                if (number == 0) {
                    long stamp = LOCK.writeLock();
                    left++;
                    right--;
                    LOCK.unlockWrite(stamp);
                    trail.saw(stamp);
                    continue;
                }
                long stamp = LOCK.tryOptimisticRead();
                int a = left;
                int b = right;
                if (stamp != 0 && LOCK.validate(stamp)) {
                    optimistic[number]++;
                } else {
                    stamp = LOCK.readLock();
                    a = left;
                    b = right;
                    LOCK.unlockRead(stamp);
                }
                consistent[number] += a + b == 0 ? 1 : 0;
                trail.saw(a);
            }
        });
        System.out.println(consistent[1] + consistent[2] + consistent[3] + " reads were consistent, "
                + (optimistic[1] + optimistic[2] + optimistic[3]) + " of them optimistic");
        System.out.println("seen " + seen);
    }
}
