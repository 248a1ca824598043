// Names of classes made at run time; those of lambdas hold an address of the JVM's.
// stdout: ^HiddenClassNames\$\$Lambda
import java.lang.reflect.Proxy;
import java.util.function.Supplier;

public class HiddenClassNames {
    public static void main(String[] args) {
        Supplier<String> lambda = () -> "x" + args.length;
        Runnable reference = System.out::println;
        System.out.println(lambda.getClass().getName());
        System.out.println(reference.getClass() + " " + reference);
        Object proxy = Proxy.newProxyInstance(HiddenClassNames.class.getClassLoader(),
                new Class<?>[] {Runnable.class},
                (self, method, arguments) -> method.getName().equals("hashCode") ? (Object) 7 : "a proxy");
        System.out.println(proxy.getClass().getName() + " " + proxy);
        System.out.println(new Object() {}.getClass().getName());
    }
}
