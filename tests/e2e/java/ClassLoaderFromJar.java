// A class from a jar that the program opens by itself, twice; resources of it; closing it.
// args: code/greeter.jar
// stdout: ^greetings from URLClassLoader, loaded at [0-9]+
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.function.Supplier;

public class ClassLoaderFromJar {
    public static void main(String[] args) throws Exception {
        URL jar = new File(args[0]).toURI().toURL();
        Class<?> first = null;
        for (int i = 0; i < 2; i++) {
            try (URLClassLoader loader = new URLClassLoader(new URL[] {jar})) {
                Class<?> type = loader.loadClass("Greeter");
                System.out.println(((Supplier<?>) type.getDeclaredConstructor().newInstance()).get());
                System.out.println((type == first) + " "
                        + type.getProtectionDomain().getCodeSource().getLocation().equals(jar));
                System.out.println(loader.getResourceAsStream("Greeter.class").readAllBytes().length + " "
                        + loader.findResource("none") + " " + loader.hashCode());
                first = type;
                loader.loadClass("NoSuchClass");
            } catch (ClassNotFoundException e) {
                System.out.println(e);
            }
        }
        System.out.println(new URL("jar:" + jar + "!/Greeter.class").openConnection().getContentLength());
    }
}
