import com.sun.tools.attach.VirtualMachine;
import java.nio.file.Path;

/** Loads a Java agent into its own JVM, which puts a class on the boot class path that canon has not seen. */
public class Attaches {
    public static void main(String[] args) throws Exception {
        VirtualMachine vm = VirtualMachine.attach(Long.toString(ProcessHandle.current().pid()));
        vm.loadAgent(Path.of(args[0]).toAbsolutePath().toString(), args[1]);
        vm.detach();
        Runnable counter = (Runnable) Class.forName("Counter", true, null).getDeclaredConstructor().newInstance();
        Thread thread = new Thread(counter);
        thread.start();
        thread.join();
    }
}
