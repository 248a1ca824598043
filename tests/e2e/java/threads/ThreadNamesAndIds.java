// Threads made by several threads at once: their automatic names and their ids go to whoever is first.
// stdout: ^120 threads, [0-9a-f]+$
import java.util.Set;
import java.util.TreeSet;

public class ThreadNamesAndIds {
    static final Set<String> NAMES = new TreeSet<>();

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 30; i++) {
                Thread child = new Thread(() -> {
                    Thread self = Thread.currentThread();
                    synchronized (NAMES) {
                        NAMES.add(self.getName() + "#" + self.getId() + " of " + number);
                    }
                    self.setName("renamed by itself");
                });
                trail.saw(child.getName());
                trail.saw(child.getId());
                child.start();
                child.join();
                trail.saw(child.getName());
            }
        });
        System.out.println(NAMES);
        System.out.println(NAMES.size() + " threads, " + seen);
    }
}
