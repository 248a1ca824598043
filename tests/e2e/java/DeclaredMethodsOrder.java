// The order in which reflection lists members; nothing in the language fixes it.
// proof: none, the order is made stable while recording and replaying, and is often the same without
// stdout: ^methods of DeclaredMethodsOrder
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;

public class DeclaredMethodsOrder {
    int alpha, beta, gamma;

    DeclaredMethodsOrder() { }

    DeclaredMethodsOrder(int x) { }

    void zig() { }
    void zag() { }
    int overloaded(int x) { return x; }
    int overloaded(long x) { return 1; }
    static void helper() { }
    private String secret() { return ""; }
    public void open() { }

    public static void main(String[] args) throws Exception {
        for (Class<?> type : new Class<?>[] {DeclaredMethodsOrder.class, String.class,
                     java.util.HashMap.class, Runnable.class, java.util.ArrayList.class,
                     java.util.concurrent.ConcurrentHashMap.class, java.time.LocalDate.class,
                     java.io.File.class}) {
            System.out.println("methods of " + type.getName() + ": "
                    + Arrays.stream(type.getDeclaredMethods())
                              .map(Method::toString)
                              .map(text -> Integer.toHexString(text.hashCode()))
                              .collect(Collectors.joining(" ")));
            System.out.println(Arrays.stream(type.getDeclaredFields()).map(Field::getName).toList());
            System.out.println(
                    Arrays.stream(type.getDeclaredConstructors()).map(Constructor::toString).toList());
            System.out.println(Arrays.stream(type.getMethods()).map(Method::getName).toList());
        }
        System.out.println(Arrays.toString(DeclaredMethodsOrder.class.getDeclaredMethods()));
    }
}
