// Caches that the JDK keeps for each thread, filled by program and class loader alike: who opens the jar first.
import java.nio.file.Files;
import java.nio.file.Path;

public class CachesOfThreads {
    private static int turn;

    public static void main(String[] args) throws Exception {
        System.out.println(Crew.run(6, (number, trail) -> {
            long sum = number;
            for (int i = 0; i < 5_000_000; i++) {
                sum = sum * 31 + i; // so that the system decides who comes first
            }
            trail.saw(sum);
            trail.saw(CachesOfThreads.class.getResource("/nowhere" + number) == null);
            for (int i = 0; i < 50; i++) {
                boolean there = Files.exists(Path.of("in", i % 2 == 0 ? "data.txt" : "nothing.txt"));
                synchronized (CachesOfThreads.class) {
                    trail.saw(turn++ * 2 + (there ? 1 : 0));
                }
            }
        }));
    }
}
