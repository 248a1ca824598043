// A lock for readers and writers made of a monitor and two counters; writers who wait come first.
// stdout: ^2000 writes, at most [1-6] readers at once, [0-9]+ waits$
public class ReadersWriters {
    private int readers;
    private int mostReaders;
    private int writersWaiting;
    private int waits;
    private boolean writing;
    private int[] text = new int[2];

    synchronized void beginRead() throws InterruptedException {
        while (writing || writersWaiting > 0) {
            waits++;
            wait();
        }
        mostReaders = Math.max(mostReaders, ++readers);
    }

    synchronized void endRead() {
        if (--readers == 0) {
            notifyAll();
        }
    }

    synchronized void beginWrite() throws InterruptedException {
        writersWaiting++;
        while (writing || readers > 0) {
            waits++;
            wait();
        }
        writersWaiting--;
        writing = true;
    }

    synchronized void endWrite() {
        writing = false;
        notifyAll();
    }

    public static void main(String[] args) throws Exception {
        ReadersWriters lock = new ReadersWriters();
        String seen = Crew.run(8, (number, trail) -> {
            for (int i = 0; i < 1000; i++) {
                if (number < 2) {
                    lock.beginWrite();
                    lock.text[0]++;
                    lock.text[1] = lock.text[1] * 31 + number;
                    lock.endWrite();
                } else {
                    lock.beginRead();
                    trail.saw(lock.text[0]);
                    trail.saw(lock.text[1]);
                    lock.endRead();
                }
            }
        });
        System.out.println(lock.text[0] + " writes, at most " + lock.mostReaders + " readers at once, "
                + lock.waits + " waits");
        System.out.println("hash " + lock.text[1] + ", seen " + seen);
    }
}
