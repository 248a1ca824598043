// Threads that count in plain fields without any lock. What they print does not show it; the heap does.
public class HeapRace {
    static class Counter {
        int value;
        String name;
    }

    static class Innocent {
        int value = 5;
    }

    static final Counter[] COUNTERS = new Counter[4];
    static final Innocent[] OTHERS = {new Innocent(), new Innocent()};

    static void count(int number) {
        for (int i = 0; i < 200_000; i++) {
            COUNTERS[0].value++;
            COUNTERS[number].value += COUNTERS[(number + 1) % COUNTERS.length].value;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[COUNTERS.length];
        for (int i = 0; i < threads.length; i++) {
            COUNTERS[i] = new Counter();
            COUNTERS[i].name = "counter " + i;
        }
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            threads[i] = new Thread(() -> count(number));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }
}
