// Reflection until it is compiled, proxies, annotations, enums and records seen from outside.
// stdout: ^calls 50 sum
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Comparator;

@ReflectionAndProxies.Marked(value = "class", numbers = {1, 2})
public class ReflectionAndProxies {
    @Retention(RetentionPolicy.RUNTIME)
    @interface Marked {
        String value();
        int[] numbers() default {};
    }

    private long moment = System.nanoTime();

    public ReflectionAndProxies() { }

    public long add(long x) {
        if (x < 0) {
            throw new IllegalArgumentException("negative at " + moment);
        }
        return moment + x;
    }

    public static void main(String[] args) throws Exception {
        Constructor<ReflectionAndProxies> constructor = ReflectionAndProxies.class.getConstructor();
        Method add = ReflectionAndProxies.class.getMethod("add", long.class);
        Field moment = ReflectionAndProxies.class.getDeclaredField("moment");
        long sum = 0;
        for (int i = 0; i < 50; i++) {
            ReflectionAndProxies object = constructor.newInstance();
            sum = sum * 31 + (long) add.invoke(object, i) + moment.getLong(object);
        }
        System.out.println("calls 50 sum " + sum);
        try {
            add.invoke(constructor.newInstance(), -1);
        } catch (InvocationTargetException e) {
            System.out.println(e.getCause() + " " + Arrays.toString(e.getCause().getStackTrace()));
        }
        System.out.println(ReflectionAndProxies.class.getAnnotation(Marked.class));
        Comparator<?> proxy =
                (Comparator<?>) Proxy.newProxyInstance(ReflectionAndProxies.class.getClassLoader(),
                        new Class<?>[] {Comparator.class}, (self, method, arguments) -> arguments.length);
        System.out.println(proxy.compare(null, null) + " " + Proxy.isProxyClass(proxy.getClass()));
        Object array = Array.newInstance(int.class, 3);
        Array.setInt(array, 1, (int) System.nanoTime());
        System.out.println(
                Arrays.toString((int[]) array) + " " + Thread.currentThread().getStackTrace().length);
        StackWalker.getInstance().forEach(System.out::println);
    }
}
