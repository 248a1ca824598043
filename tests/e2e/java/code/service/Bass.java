public class Bass implements ServiceLoaderFromJar.Voice {
    @Override
    public String sing() {
        return "bass at " + System.nanoTime();
    }
}
