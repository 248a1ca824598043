// Packages and loaded classes as the JVM lists them.
// proof: none, the order is made stable while recording and replaying, and is often the same without
// stdout: ^[0-9]+ packages
import java.util.Arrays;

public class BootPackages {
    public static void main(String[] args) {
        Package[] packages = Package.getPackages();
        System.out.println(packages.length + " packages");
        Arrays.stream(packages).map(Package::getName).forEach(System.out::println);
    }
}
