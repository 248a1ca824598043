// Synchronized methods of several objects: each is a lock of its own, and orders only those who use it.
// stdout: ^10000 on 5 counters$
public class SyncInstanceMethods {
    static class Counter {
        private int value;
        private long order;

        synchronized int add(int number) {
            order = order * 31 + number;
            return ++value;
        }

        synchronized int value() {
            return value;
        }
    }

    public static void main(String[] args) throws Exception {
        Counter[] counters = new Counter[5];
        for (int i = 0; i < counters.length; i++) {
            counters[i] = new Counter();
        }
        String seen = Crew.run(5, (number, trail) -> {
            for (int i = 0; i < 2000; i++) {
                trail.saw(counters[(number + i) % 5].add(number));
                trail.saw(counters[i * 7 % 5].value());
            }
        });
        int sum = 0;
        for (Counter counter : counters) {
            sum += counter.value;
            System.out.println(counter.value + " in order " + Long.toHexString(counter.order));
        }
        System.out.println(sum + " on 5 counters");
        System.out.println("seen " + seen);
    }
}
