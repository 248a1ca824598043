// What `make demo` records: a program whose every line comes from outside of it, or from a whim of the JVM.

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;

public class Demo {
    public static void main(String[] args) throws Exception {
        Path file = Path.of(args[0]);
        List<String> lines = Files.readAllLines(file);
        show("last line of " + file, lines.get(lines.size() - 1));
        try (var entries = Files.list(file.toAbsolutePath().getParent())) {
            show("files beside it", entries.map(entry -> entry.getFileName().toString()).toList());
        }
        show("the clock", Instant.now());
        show("a random UUID", UUID.randomUUID());
        show("$VISITOR", System.getenv("VISITOR"));
        show("process id", ProcessHandle.current().pid());
        show("free memory", Runtime.getRuntime().freeMemory());
        show("an identity hash", Integer.toHexString(System.identityHashCode(new Object())));
        show("order of a Set.of", Set.of("do", "re", "mi", "fa", "sol", "la", "ti"));
    }

    private static void show(String what, Object value) {
        System.out.printf("  %-30s %s%n", what, value);
    }
}
