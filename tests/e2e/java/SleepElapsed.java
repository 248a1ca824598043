// How long sleeping took; timed waiting in its other forms.
// stdout: ^slept [0-9]+ ns
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

public class SleepElapsed {
    public static void main(String[] args) throws Exception {
        long begin = System.nanoTime();
        Thread.sleep(30);
        System.out.println("slept " + (System.nanoTime() - begin) + " ns");
        TimeUnit.MICROSECONDS.sleep(1500);
        Thread.sleep(0, 1000);
        LockSupport.parkNanos(3_000_000);
        System.out.println("parked until " + (System.nanoTime() - begin));
        Object monitor = new Object();
        synchronized (monitor) {
            monitor.wait(10);
        }
        System.out.println("waited until " + (System.nanoTime() - begin));
        Thread.currentThread().interrupt();
        try {
            Thread.sleep(1000);
        } catch (InterruptedException e) {
            System.out.println(e.getMessage() + " " + Thread.interrupted());
        }
        Thread.yield();
        System.out.println("after " + (System.nanoTime() - begin) + " ns in all");
    }
}
