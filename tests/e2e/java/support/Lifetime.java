// Servers of the tests call this first: they end after a while though nobody ends them.
final class Lifetime {
    static final int SECONDS = 120;

    private Lifetime() { }

    static void begin() {
        Thread watchdog = new Thread(() -> {
            try {
                Thread.sleep(SECONDS * 1000L);
            } catch (InterruptedException e) {
                // then it ends now
            }
            Runtime.getRuntime().halt(9);
        });
        watchdog.setDaemon(true);
        watchdog.start();
    }
}
