// Double-checked locking without volatile, and lazy creation without any lock: who makes what, and who sees it when.
// record: --order=serial --preempt=loops
// stdout: ^[0-9]+ made without lock, 500 with, seen [0-9a-f]+$
public class DoubleCheckedPlain {
    static final class Box {
        int value;

        Box(int seed) {
            for (int i = 0; i < 2_000; i++) {
                value = value * 31 + seed + i;
            }
        }
    }

    static final Box[] LAZY = new Box[500];
    static final Box[] CHECKED = new Box[500];
    static int lazyMade;
    static int checkedMade;

    static Box lazy(int slot, int number) {
        if (LAZY[slot] == null) {
            Box made = new Box(number);
            LAZY[slot] = made;
            lazyMade++;
        }
        return LAZY[slot];
    }

    static Box checked(int slot, int number) {
        if (CHECKED[slot] == null) {
            synchronized (CHECKED) {
                if (CHECKED[slot] == null) {
                    CHECKED[slot] = new Box(number);
                    checkedMade++;
                }
            }
        }
        return CHECKED[slot];
    }

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(4, (number, trail) -> {
            for (int slot = 0; slot < LAZY.length; slot++) {
                trail.saw(lazy(slot, number).value);
                trail.saw(checked(slot, number).value);
            }
        });
        System.out.println(lazyMade + " made without lock, " + checkedMade + " with, seen " + seen);
    }
}
