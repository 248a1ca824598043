// Threads load the same classes in different orders, by name and by use, through the loader of the application.
// stdout: ^10 loaded, in the order 
import java.util.concurrent.atomic.AtomicInteger;

public class RacingClassLoad {
    static final StringBuffer ORDER = new StringBuffer();
    static final AtomicInteger LOADED = new AtomicInteger();

    static int note(Class<?> type) {
        ORDER.append(' ').append(type.getSimpleName()).append(" by ").append(Thread.currentThread().getName());
        Thread.yield();
        return LOADED.incrementAndGet();
    }

    static class Part0 { static final int AT = note(Part0.class); }

    static class Part1 extends Part0 { static final int AT = note(Part1.class); }

    static class Part2 extends Part1 { static final int AT = note(Part2.class); }

    static class Part3 { static final int AT = note(Part3.class); }

    static class Part4 extends Part3 { static final int AT = note(Part4.class); }

    static class Part5 { static final int AT = note(Part5.class); }

    static class Part6 extends Part5 { static final int AT = note(Part6.class); }

    static class Part7 extends Part5 { static final int AT = note(Part7.class); }

    static class Part8 { static final int AT = note(Part8.class); }

    static class Part9 extends Part8 { static final int AT = note(Part9.class); }

    public static void main(String[] args) throws Exception {
        ClassLoader loader = RacingClassLoad.class.getClassLoader();
        String seen = Crew.run(6, (number, trail) -> {
            for (int i = 0; i < 10; i++) {
                int part = (i * (2 * (number % 2) + 1) + number) % 10;
                Class<?> type = Class.forName("RacingClassLoad$Part" + part, number % 3 == 0, loader);
                trail.saw(LOADED.get());
                trail.saw((int) type.getDeclaredField("AT").get(null));
                trail.saw(LOADED.get());
            }
        });
        System.out.println(LOADED + " loaded, in the order " + ORDER);
        System.out.println("seen " + seen);
    }
}
