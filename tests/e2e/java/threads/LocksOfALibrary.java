// A native library that is not the JDK's has state that threads share, under mutexes, condition variables, a
// semaphore and a read-write lock of libc's.
// stdout: ^took 
public class LocksOfALibrary {
    static native void put(int item);

    static native int take();

    static native long look(long mine);

    public static void main(String[] args) throws Exception {
        System.loadLibrary("shelf");
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 400; i++) {
                if (number < 2) {
                    put(number * 1000 + i);
                } else {
                    int item;
                    while ((item = take()) < 0) {
                        trail.saw(item);
                    }
                    trail.saw(item);
                }
                trail.saw(look(number * 1000 + i));
            }
        });
        System.out.println("took " + seen);
    }
}
