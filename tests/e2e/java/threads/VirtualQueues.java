// Virtual threads that hand each other things through queues that block, and a platform thread among them.
// only: 25
// stdout: ^300 things$
import java.util.*;
import java.util.concurrent.*;

public class VirtualQueues {
    static final BlockingQueue<Integer> NARROW = new ArrayBlockingQueue<>(3);
    static final BlockingQueue<Integer> DIRECT = new SynchronousQueue<>();
    static final BlockingQueue<Integer> RESULTS = new LinkedBlockingQueue<>();

    static void produce(int number) {
        try {
            for (int i = 0; i < 100; i++) {
                NARROW.put(number * 1000 + i);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    // Ends when it is interrupted.
    static void pass(BlockingQueue<Integer> from, BlockingQueue<Integer> to, int factor) {
        try {
            while (true) {
                to.put(from.take() * 2 + factor);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        List<Thread> passers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            Thread.startVirtualThread(() -> produce(number));
            passers.add(Thread.ofVirtual().name("first-", i).start(() -> pass(NARROW, DIRECT, number % 2)));
        }
        passers.add(Thread.ofVirtual().unstarted(() -> pass(DIRECT, RESULTS, 0)));
        passers.add(Thread.ofPlatform().unstarted(() -> pass(DIRECT, RESULTS, 1)));
        passers.subList(3, 5).forEach(Thread::start);
        Crew.Trail trail = new Crew.Trail();
        int things = 0;
        for (; things < 300; things++) {
            trail.saw(RESULTS.take());
        }
        for (Thread passer : passers) {
            passer.interrupt();
            passer.join();
            System.out.println(passer.getName() + " " + passer.isVirtual() + " " + passer.getState());
        }
        System.out.println(things + " things");
        System.out.println("seen " + trail.hex());
    }
}
