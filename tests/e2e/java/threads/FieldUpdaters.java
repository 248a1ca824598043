// Updaters of volatile fields by reflection: int, long and reference.
// stdout: ^count 6000, sum [0-9]+$
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

public class FieldUpdaters {
    static class Cell {
        static final AtomicIntegerFieldUpdater<Cell> COUNT = AtomicIntegerFieldUpdater.newUpdater(Cell.class, "count");
        static final AtomicLongFieldUpdater<Cell> SUM = AtomicLongFieldUpdater.newUpdater(Cell.class, "sum");
        static final AtomicReferenceFieldUpdater<Cell, String> LAST =
                AtomicReferenceFieldUpdater.newUpdater(Cell.class, String.class, "last");
        volatile int count;
        volatile long sum;
        volatile String last = "nobody";
    }

    public static void main(String[] args) throws Exception {
        Cell[] cells = {new Cell(), new Cell(), new Cell()};
        String seen = Crew.run(4, (number, trail) -> {
            String name = "thread " + number;
            for (int i = 0; i < 1500; i++) {
                Cell cell = cells[i % 3];
                int turn = Cell.COUNT.incrementAndGet(cell);
                trail.saw(turn);
                trail.saw(Cell.SUM.addAndGet(cell, (long) turn * number));
                String last = cell.last;
                trail.saw(last);
                trail.saw(Cell.LAST.compareAndSet(cell, last, name));
            }
        });
        System.out.println("count " + (cells[0].count + cells[1].count + cells[2].count)
                + ", sum " + (cells[0].sum + cells[1].sum + cells[2].sum));
        System.out.println(cells[0].last + " " + cells[1].last + " seen " + seen);
    }
}
