// A phaser whose parties come and go: who is the last to arrive in each phase, and how many there are then.
// stdout: ^terminated true after 200 phases$
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;

public class Phasers {
    static long advances;

    public static void main(String[] args) throws Exception {
        AtomicInteger arrivals = new AtomicInteger();
        Phaser phaser = new Phaser(4) {
            @Override
            protected boolean onAdvance(int phase, int parties) { // one at a time, by who arrives last
                advances = advances * 31 + parties * 10 + Thread.currentThread().getName().charAt(5);
                return phase == 199;
            }
        };
        String seen = Crew.run(4, (number, trail) -> {
            while (!phaser.isTerminated()) {
                trail.saw(arrivals.incrementAndGet());
                if (arrivals.get() % 7 == 0) {
                    phaser.register();
                    trail.saw(phaser.getUnarrivedParties());
                    phaser.arriveAndDeregister();
                }
                int phase = phaser.arrive();
                trail.saw(phase);
                if (phase >= 0) {
                    phaser.awaitAdvance(phase);
                }
            }
        });
        System.out.println("terminated " + phaser.isTerminated() + " after "
                + (phaser.getPhase() - Integer.MIN_VALUE) + " phases");
        System.out.println("advances " + Long.toHexString(advances) + ", seen " + seen);
    }
}
