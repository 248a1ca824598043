// A native library that is not the JDK's hands out addresses as handles; threads hand them to each other, keep them in
// tables, and have the memory freed elsewhere than where it was made.
// stdout: ^left 
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

public class HandlesOfALibrary {
    static native long make(int size);

    static native long resize(long handle, int size);

    static native int drop(long handle);

    public static void main(String[] args) throws Exception {
        System.loadLibrary("shelf");
        ConcurrentHashMap<Long, Integer> known = new ConcurrentHashMap<>();
        ConcurrentLinkedQueue<Long> spare = new ConcurrentLinkedQueue<>();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 500; i++) {
                long handle = make(1 + (i * 7 + number) % 60);
                trail.saw(handle);
                known.put(handle, i);
                spare.add(handle);
                Long other = i % 3 == 0 ? null : spare.poll();
                if (other != null) {
                    trail.saw(known.remove(other));
                    long moved = resize(other, 100 + i % 50);
                    trail.saw(moved);
                    trail.saw(drop(moved));
                }
            }
        });
        long sum = 0;
        for (Long handle : known.keySet()) {
            sum = sum * 31 + handle;
            drop(handle);
        }
        System.out.println("left " + known.size() + " " + Long.toHexString(sum) + " seen " + seen);
    }
}
