// Exceptions that hot code throws implicitly: the JIT drops their stack traces at a moment of its own.
// proof: none, what makes a recording and its replay equal here is an option of the JVM that is always on
// stdout: ^[0-9]+ of 80000 without a trace
public class FastThrow {
    static int emptyTraces;
    static int first = -1;

    static void provoke(int i, String nothing, int[] array, Object number) {
        try {
            switch (i % 3) {
                case 0 -> nothing.length();
                case 1 -> array[5] = i;
                default -> System.out.println((String) number);
            }
        } catch (NullPointerException | ArrayIndexOutOfBoundsException | ClassCastException e) {
            if (e.getStackTrace().length == 0) {
                emptyTraces++;
                first = first < 0 ? i : first;
            }
        }
    }

    public static void main(String[] args) {
        int[] array = new int[3];
        for (int i = 0; i < 80_000; i++) {
            provoke(i, null, array, 7);
        }
        System.out.println(emptyTraces + " of 80000 without a trace, the first at " + first);
    }
}
