// Waiters with different wishes share a monitor: notifyAll wakes most of them in vain, as a spurious wake-up would.
// stdout: ^1000 letters, [0-9]+ woken in vain$
public class WaitInVain {
    static final Object LOCK = new Object();
    static int addressee = -1;
    static int inVain;
    static long order;

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(6, (number, trail) -> {
            for (int i = 0; i < (number < 5 ? 200 : 1000); i++) {
                synchronized (LOCK) {
                    while (number < 5 ? addressee != number : addressee >= 0) {
                        LOCK.wait();
                        inVain += (number < 5 ? addressee != number : addressee >= 0) ? 1 : 0;
                        order = order * 31 + number;
                    }
                    addressee = number < 5 ? -1 : i % 5;
                    trail.saw(inVain);
                    LOCK.notifyAll();
                }
            }
        });
        System.out.println("1000 letters, " + inVain + " woken in vain");
        System.out.println("order " + Long.toHexString(order) + ", seen " + seen);
    }
}
