// Daemon threads that print until System.exit stops them: how many lines there are, and of whom, is chance.
// stdout: ^main leaves$
// exit: 4
public class DaemonsPrintAtExit {
    static int lines;

    static void chatter(String name) {
        while (true) {
            synchronized (DaemonsPrintAtExit.class) {
                System.out.println(name + " prints line " + lines++);
                DaemonsPrintAtExit.class.notifyAll();
            }
            Thread.yield();
        }
    }

    public static void main(String[] args) throws Exception {
        for (String name : new String[] {"one", "two", "three"}) {
            Thread daemon = new Thread(() -> chatter(name));
            daemon.setDaemon(true);
            daemon.start();
        }
        synchronized (DaemonsPrintAtExit.class) {
            while (lines < 200) {
                DaemonsPrintAtExit.class.wait();
            }
            System.out.println("main leaves");
        }
        System.exit(4);
    }
}
