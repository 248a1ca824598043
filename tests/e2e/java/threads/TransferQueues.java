// LinkedTransferQueue: transfers wait for who takes, puts do not, and tries give up.
// stdout: ^3000 of 3000 received, [0-9]+ tries failed$
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

public class TransferQueues {
    public static void main(String[] args) throws Exception {
        LinkedTransferQueue<Integer> queue = new LinkedTransferQueue<>();
        AtomicInteger received = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        String seen = Crew.run(5, (number, trail) -> {
            for (int i = 0; number < 2 && i < 1500; i++) {
                int item = i * 2 + number;
                boolean done = switch (i % 5) {
                    case 0 -> queue.tryTransfer(item);
                    case 1 -> queue.tryTransfer(item, 20, TimeUnit.MICROSECONDS);
                    default -> false;
                };
                failed.addAndGet(i % 5 > 1 || done ? 0 : 1);
                if (!done && i % 5 == 2) {
                    queue.transfer(item);
                } else if (!done) {
                    queue.put(item);
                }
                trail.saw(queue.hasWaitingConsumer());
            }
            for (int i = 0; number >= 2 && i < 1000; i++) {
                trail.saw(queue.take());
                received.incrementAndGet();
            }
        });
        System.out.println(received + " of 3000 received, " + failed + " tries failed");
        System.out.println("seen " + seen);
    }
}
