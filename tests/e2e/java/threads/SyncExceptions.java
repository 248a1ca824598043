// Exceptions leave synchronized methods and blocks, and with them the monitors; notify without one fails.
// stdout: ^[0-9]+ of 6000 entries failed, 3 without the monitor$
public class SyncExceptions {
    static final Object INNER = new Object();
    private int entries;
    private int failed;

    synchronized int enter(int number) {
        entries++;
        synchronized (INNER) {
            if (entries * (number + 3) % 7 == 0) { // which of them fail is a matter of order
                failed++;
                throw new IllegalStateException();
            }
        }
        return entries;
    }

    public static void main(String[] args) throws Exception {
        SyncExceptions gate = new SyncExceptions();
        int[] withoutMonitor = new int[3];
        String seen = Crew.run(3, (number, trail) -> {
            for (int i = 0; i < 2000; i++) {
                try {
                    trail.saw(gate.enter(number));
                } catch (IllegalStateException e) {
                    trail.saw("failed");
                }
            }
            try {
                gate.notify();
            } catch (IllegalMonitorStateException e) {
                withoutMonitor[number]++;
            }
        });
        System.out.println(gate.failed + " of " + gate.entries + " entries failed, "
                + (withoutMonitor[0] + withoutMonitor[1] + withoutMonitor[2]) + " without the monitor");
        System.out.println("seen " + seen);
    }
}
