// A URLClassLoader of the program's own that counts what it finds, and prints some of it, while threads race.
// stdout: ^found UrlLoaderSubclass\$First by hand-[0-9]$
// stdout: ^60 found, order [0-9a-f]+$
import java.net.URL;
import java.net.URLClassLoader;

public class UrlLoaderSubclass {
    static int found;
    static long order;

    static class First { static final int SIZE = new Second().size(); }

    static class Second extends Third { }

    static class Third { int size() { return 3; } }

    static class Counting extends URLClassLoader {
        final boolean talks;

        Counting(URL[] urls, boolean talks) {
            super(urls, null);
            this.talks = talks;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            Class<?> type = super.findClass(name);
            note(name);
            if (talks) {
                System.out.println("found " + name + " by " + Thread.currentThread().getName());
            }
            return type;
        }
    }

    static synchronized void note(String name) {
        found++;
        order = order * 31 + name.hashCode() + Thread.currentThread().getName().hashCode();
    }

    public static void main(String[] args) throws Exception {
        URL[] urls = {UrlLoaderSubclass.class.getProtectionDomain().getCodeSource().getLocation()};
        Counting[] loaders = new Counting[20];
        for (int i = 0; i < loaders.length; i++) {
            loaders[i] = new Counting(urls, i % 5 == 0);
        }
        Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 20; i++) {
                String name = number % 2 == 0 ? "UrlLoaderSubclass$First" : "UrlLoaderSubclass$Second";
                Class.forName(name, true, loaders[i]);
            }
        });
        System.out.println(found + " found, order " + Long.toHexString(order));
    }
}
