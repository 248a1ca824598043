// Double-checked locking: a volatile field, looked at before and after the lock is taken.
// stdout: ^1000 made once each, [0-9]+ came too late$
public class DoubleChecked {
    static class Lazy {
        private volatile String value;
        private int late;

        String get(int number) {
            String result = value;
            if (result == null) {
                synchronized (this) {
                    result = value;
                    if (result == null) {
                        Thread.yield();
                        result = "made by " + number;
                        value = result;
                    } else {
                        late++;
                    }
                }
            }
            return result;
        }
    }

    public static void main(String[] args) throws Exception {
        Lazy[] all = new Lazy[1000];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Lazy();
        }
        String seen = Crew.run(4, (number, trail) -> {
            for (Lazy lazy : all) {
                trail.saw(lazy.get(number));
            }
        });
        int late = 0;
        Crew.Trail makers = new Crew.Trail();
        for (Lazy lazy : all) {
            late += lazy.late;
            makers.saw(lazy.value);
        }
        System.out.println(all.length + " made once each, " + late + " came too late");
        System.out.println("makers " + makers.hex() + ", seen " + seen);
    }
}
