// A SubmissionPublisher and three subscribers of different patience: what was dropped, and how far the slowest lags.
// stdout: ^[0-9]+ received by 3, [0-9]+ dropped$
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicInteger;

public class FlowPublisher {
    static final AtomicInteger RECEIVED = new AtomicInteger();
    static final CountDownLatch COMPLETED = new CountDownLatch(3);
    static long order;

    record Reader(int number) implements Flow.Subscriber<Integer> {
        static final Flow.Subscription[] SUBSCRIPTIONS = new Flow.Subscription[3]; // each its own

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            SUBSCRIPTIONS[number] = subscription;
            subscription.request(1);
        }

        @Override
        public void onNext(Integer item) {
            RECEIVED.incrementAndGet();
            synchronized (FlowPublisher.class) {
                order = order * 31 + item * 3 + number;
            }
            SUBSCRIPTIONS[number].request(1);
        }

        @Override
        public void onError(Throwable e) {
            throw new IllegalStateException(e);
        }

        @Override
        public void onComplete() {
            COMPLETED.countDown();
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        int dropped = 0;
        Crew.Trail trail = new Crew.Trail();
        try (SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>(pool, 16)) {
            for (int i = 0; i < 3; i++) {
                publisher.subscribe(new Reader(i));
            }
            for (int i = 0; i < 1000; i++) {
                int lag = i % 2 == 0 ? publisher.submit(i) : publisher.offer(i, null);
                dropped -= Math.min(lag, 0);
                trail.saw(lag);
            }
        }
        COMPLETED.await();
        pool.shutdown();
        System.out.println(RECEIVED + " received by 3, " + dropped + " dropped");
        synchronized (FlowPublisher.class) {
            System.out.println("order " + Long.toHexString(order) + ", lags " + trail.hex());
        }
    }
}
