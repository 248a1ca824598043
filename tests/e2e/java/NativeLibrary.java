// Natives of a library that is not the JDK's: those that the user names are recorded, the others run.
// record: --native=NativeLibrary.clock --native NativeLibrary.?[ea]* --native=org.example.*.nothing
// stdout: ^second line: nonce @NONCE@$
// stdout: ^nothing there: no sensor$
// stdout: ^sum 5$
import java.util.Arrays;

public class NativeLibrary {
    static native long clock();

    static native String read(String path);

    native double sample(byte[] bytes, int a, int b, long c, double d, int[] numbers, float e, int f);

    static native int sum(int a, int b);

    public static void main(String[] args) {
        System.loadLibrary("sensor");
        System.out.println("clock " + clock() + " " + clock());
        System.out.println("second line: " + read("in/data.txt"));
        try {
            read("in/nothing");
        } catch (IllegalStateException e) {
            System.out.println("nothing there: " + e.getMessage());
        }
        byte[] bytes = {1, 2, 3};
        int[] numbers = {4, 5, 6};
        double sampled = new NativeLibrary().sample(bytes, 1, 2, 3, 0.5, numbers, 0.25f, 8);
        System.out.println(sampled + " " + Arrays.toString(bytes) + " " + Arrays.toString(numbers));
        System.out.println("sum " + sum(2, 3));
    }
}
