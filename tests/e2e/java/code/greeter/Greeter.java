import java.util.function.Supplier;

// Loaded from a jar by a class loader of the program's own.
public class Greeter implements Supplier<String> {
    static final long LOADED = System.nanoTime();

    @Override
    public String get() {
        return "greetings from " + getClass().getClassLoader().getClass().getSimpleName() + ", loaded at "
                + LOADED;
    }
}
