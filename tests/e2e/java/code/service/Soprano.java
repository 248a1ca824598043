public class Soprano implements ServiceLoaderFromJar.Voice {
    @Override
    public String sing() {
        return "soprano at " + System.nanoTime();
    }
}
