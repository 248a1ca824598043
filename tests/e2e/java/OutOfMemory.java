// OutOfMemoryError of several kinds, caught; the program goes on.
// jvm: -Xmx24m
// stdout: ^java.lang.OutOfMemoryError: Java heap space
// stdout: ^java.lang.OutOfMemoryError: Requested array size exceeds VM limit
import java.util.ArrayList;
import java.util.List;

public class OutOfMemory {
    public static void main(String[] args) {
        try {
            List<byte[]> list = new ArrayList<>();
            while (true) {
                list.add(new byte[1_000_000]);
            }
        } catch (OutOfMemoryError e) {
            System.out.println(e);
        }
        try {
            System.out.println(new long[Integer.MAX_VALUE].length);
        } catch (OutOfMemoryError e) {
            System.out.println(e);
        }
        try {
            System.out.println(new byte[100_000_000].length);
        } catch (OutOfMemoryError e) {
            System.out.println(e);
        }
        System.out.println("still here at " + System.nanoTime() + " with " + Runtime.getRuntime().freeMemory()
                + " free");
    }
}
