// Variables that threads inherit when they are made: what a child gets is what its parent had at that moment.
// stdout: ^160 children, order [0-9a-f]+$
import java.util.concurrent.atomic.AtomicInteger;

public class InheritableLocals {
    static final AtomicInteger COPIES = new AtomicInteger();
    static final InheritableThreadLocal<String> LINEAGE = new InheritableThreadLocal<>() {
        @Override
        protected String childValue(String parent) {
            return parent + "." + COPIES.incrementAndGet();
        }
    };
    static int children;
    static long order;

    static synchronized void born() {
        children++;
        order = order * 31 + String.valueOf(LINEAGE.get()).hashCode();
    }

    public static void main(String[] args) throws Exception {
        LINEAGE.set("main");
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 20; i++) {
                LINEAGE.set("of " + number + "/" + COPIES.get());
                Thread first = new Thread(() -> {
                    born();
                    LINEAGE.set("changed");
                });
                Thread second = new Thread(null, InheritableLocals::born, "second", 0, i % 2 == 0);
                first.start();
                second.start();
                first.join();
                second.join();
                trail.saw(LINEAGE.get());
            }
        });
        System.out.println(children + " children, order " + Long.toHexString(order));
        System.out.println("seen " + seen + ", main has " + LINEAGE.get());
    }
}
