// Threads spin on a plain flag until another one sets it: how often they look. Nothing else orders them, so others can
// run only where a loop begins anew.
// record: --order=serial --preempt=loops
// stdout: ^looked: [0-9]+ [0-9]+ [0-9]+$
public class PlainFlag {
    static boolean ready;
    static int[] results = new int[3];
    static long work;

    static int look() {
        int looks = 0;
        while (!ready) {
            looks++;
        }
        return looks;
    }

    public static void main(String[] args) throws Exception {
        Thread[] lookers = new Thread[results.length];
        for (int i = 0; i < lookers.length; i++) {
            int number = i;
            lookers[i] = new Thread(() -> results[number] = look());
            lookers[i].start();
        }
        for (int i = 0; i < 5_000_000; i++) {
            work += i;
        }
        ready = true;
        for (Thread looker : lookers) {
            looker.join();
        }
        System.out.println("looked: " + results[0] + " " + results[1] + " " + results[2]);
    }
}
