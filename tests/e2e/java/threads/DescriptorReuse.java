// The system gives the number of a descriptor that one thread has closed to the next one that opens a file.
// args: in/data.txt
import java.io.FileInputStream;
import java.util.concurrent.atomic.AtomicInteger;

public final class DescriptorReuse {
    private static final int ROUNDS = 200;

    private DescriptorReuse() { }

    public static void main(String[] args) throws Exception {
        AtomicInteger turn = new AtomicInteger();
        System.out.println(Crew.run(4, (number, trail) -> {
            for (int i = 0; i < ROUNDS; i++) {
                try (FileInputStream in = new FileInputStream(args[0])) {
                    trail.saw(in.read());
                    trail.saw(in.available());
                    trail.saw(in.read());
                }
                if (i % 8 == 0) {
                    trail.saw(turn.incrementAndGet());
                }
            }
        }));
    }
}
