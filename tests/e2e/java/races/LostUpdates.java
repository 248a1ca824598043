// A plain counter that threads read, and write a little later: updates get lost.
// record: --order=serial --preempt=loops
// stdout: ^[0-9]+ of 80000 updates, seen [0-9a-f]+$
public class LostUpdates {
    static int count;

    static int think(int rounds) {
        int sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum += i * rounds;
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(4, (number, trail) -> {
            long hash = number;
            for (int i = 0; i < 20_000; i++) {
                int before = count;
                hash = hash * 31 + think(20 + number) + before;
                count = before + 1;
            }
            trail.saw(hash);
        });
        System.out.println(count + " of 80000 updates, seen " + seen);
    }
}
