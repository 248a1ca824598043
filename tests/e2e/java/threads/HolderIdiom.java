// Lazy singletons held by classes whose initialisation the JVM does once: who asked first made it.
// stdout: ^makers:( hand-[0-4]){8}, [0-9]+ turns$
import java.util.concurrent.atomic.AtomicInteger;

public class HolderIdiom {
    static final AtomicInteger TURNS = new AtomicInteger();

    record Maker(String name, int turn) {
        Maker() {
            this(Thread.currentThread().getName(), TURNS.incrementAndGet());
            Thread.yield();
        }
    }

    static class Holder0 { static final Maker MAKER = new Maker(); }

    static class Holder1 { static final Maker MAKER = new Maker(); }

    static class Holder2 { static final Maker MAKER = new Maker(); }

    static class Holder3 { static final Maker MAKER = new Maker(); }

    static class Holder4 { static final Maker MAKER = new Maker(); }

    static class Holder5 { static final Maker MAKER = new Maker(); }

    static class Holder6 { static final Maker MAKER = new Maker(); }

    static class Holder7 { static final Maker MAKER = new Maker(); }

    static Maker get(int number) {
        return switch (number) {
            case 0 -> Holder0.MAKER;
            case 1 -> Holder1.MAKER;
            case 2 -> Holder2.MAKER;
            case 3 -> Holder3.MAKER;
            case 4 -> Holder4.MAKER;
            case 5 -> Holder5.MAKER;
            case 6 -> Holder6.MAKER;
            default -> Holder7.MAKER;
        };
    }

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(5, (number, trail) -> {
            for (int i = 0; i < 400; i++) {
                trail.saw(TURNS.incrementAndGet());
                if (i % 50 == number) {
                    trail.saw(get((i / 50 + number) % 8).turn());
                }
            }
        });
        StringBuilder makers = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            makers.append(' ').append(get(i).name());
        }
        System.out.println("makers:" + makers + ", " + TURNS + " turns");
        System.out.println("seen " + seen);
    }
}
