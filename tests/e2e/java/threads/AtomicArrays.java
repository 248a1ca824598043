// Elements of atomic arrays: of ints, longs and references; each is a variable of its own.
// stdout: ^ints sum 8000, longs
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

public class AtomicArrays {
    public static void main(String[] args) throws Exception {
        AtomicIntegerArray ints = new AtomicIntegerArray(8);
        AtomicLongArray longs = new AtomicLongArray(8);
        AtomicReferenceArray<String> owners = new AtomicReferenceArray<>(8);
        String seen = Crew.run(4, (number, trail) -> {
            String name = "owner " + number;
            for (int i = 0; i < 2000; i++) {
                int slot = (i * 5 + number) % 8;
                trail.saw(ints.getAndIncrement(slot));
                trail.saw(longs.accumulateAndGet(slot, number, (hash, n) -> hash * 31 + n));
                if (!owners.compareAndSet(slot, null, name)) {
                    trail.saw(owners.getAndSet(slot, i % 3 == 0 ? null : name));
                }
                trail.saw(longs.compareAndSet(i % 8, number, -number));
            }
        });
        int sum = 0;
        for (int i = 0; i < 8; i++) {
            sum += ints.get(i);
        }
        System.out.println("ints sum " + sum + ", longs " + longs);
        System.out.println(owners + " seen " + seen);
    }
}
