// Volatile fields of every type, written by all and read by all, of objects and of classes.
// stdout: ^8 primitives, a reference, an array: 
public class VolatileFields {
    volatile boolean truth;
    volatile byte small;
    volatile char letter;
    volatile short shorter;
    volatile int whole;
    static volatile long large;
    static volatile float broken;
    volatile double finer;
    static volatile String text = "";
    volatile int[] array = new int[1];

    void write(int number, int i) {
        switch (i % 10) {
            case 0 -> truth = !truth;
            case 1 -> small = (byte) (i + number);
            case 2 -> letter = (char) ('a' + number);
            case 3 -> shorter = (short) (shorter * 3 + number);
            case 4 -> whole += number;
            case 5 -> large = (long) i << 32 | number;
            case 6 -> broken = i / (number + 1.5f);
            case 7 -> finer += 1.0 / (number + 1);
            case 8 -> text = number + " wrote " + i;
            default -> array = new int[] {i * 4 + number};
        }
    }

    String read() {
        return truth + " " + small + " " + letter + " " + shorter + " " + whole + " " + large + " " + broken
                + " " + finer + " " + text + " " + array[0];
    }

    public static void main(String[] args) throws Exception {
        VolatileFields fields = new VolatileFields();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 1000; i++) {
                fields.write(number, i * (number + 1));
                trail.saw(fields.read());
            }
        });
        System.out.println("8 primitives, a reference, an array: " + fields.read());
        System.out.println("seen " + seen);
    }
}
