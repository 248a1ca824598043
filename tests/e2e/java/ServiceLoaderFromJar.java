// Services that jars on the class path provide, one of them broken.
// stdout: ^soprano at [0-9]+
// stdout: NoSuchVoice not found
import java.nio.charset.Charset;
import java.nio.file.spi.FileSystemProvider;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

public class ServiceLoaderFromJar {
    public interface Voice {
        String sing();
    }

    public static void main(String[] args) {
        ServiceLoader<Voice> loader = ServiceLoader.load(Voice.class);
        try {
            for (Voice voice : loader) {
                System.out.println(voice.sing());
            }
        } catch (ServiceConfigurationError e) {
            System.out.println(e.getMessage());
        }
        System.out.println(loader.findFirst().map(Voice::sing).orElse("nobody"));
        FileSystemProvider.installedProviders().forEach(one -> System.out.println(one.getScheme()));
        System.out.println(Charset.availableCharsets().size());
    }
}
