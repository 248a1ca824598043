// Arrays that are published in a plain field before they are filled: how much of them readers find.
// record: --order=serial --preempt=loops
// stdout: ^[0-9]+ found unfinished, seen [0-9a-f]+$
public class PublishedArrays {
    static int[] current = {1};
    static int unfinished;

    static void publish(int number, int length) {
        int[] made = new int[length];
        current = made;
        for (int i = 0; i < length; i++) {
            made[i] = number + i;
        }
    }

    static int filled(int[] array) {
        int filled = 0;
        for (int value : array) {
            filled += value == 0 ? 0 : 1;
        }
        return filled;
    }

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 1; i < 3_000; i++) {
                if (number < 2) {
                    publish(number + 1, 100 + i % 100);
                } else {
                    int[] found = current;
                    int filled = filled(found);
                    unfinished += filled < found.length ? 1 : 0;
                    trail.saw(found.length * 1000L + filled);
                }
            }
        });
        System.out.println(unfinished + " found unfinished, seen " + seen);
    }
}
