// A library that is not the JDK's, put into a temporary file as many do, asks the system by itself: by functions of
// libc, by streams, by functions that it looks for. Its natives run at replay; what they ask is answered from the trace.
// stdout: ^reads .*: oday|irst|line
// stdout: ^reads No such file or directory$
// stdout: ^said by the library$
// stdout: ^streams .* from . to
// stdout: ^keeps .*, 0 36 a ne 7, then
import java.nio.file.Files;
import java.nio.file.Path;

public class NativeLibraryAsks {
    static native String reads(String path);

    static native String streams(String path);

    static native String maps(String path);

    static native String finds();

    static native String draws();

    static native String talks();

    static native String stands();

    static native String keeps();

    static native int says(int fd, byte[] words);

    public static void main(String[] args) throws Exception {
        Path library = Files.createTempFile("probe", ".so");
        Files.write(library, Files.readAllBytes(Path.of("code/libprobe.so")));
        System.load(library.toString());
        Files.delete(library);
        System.out.println("reads " + reads("in/data.txt"));
        System.out.println("reads " + reads("in/nothing"));
        System.out.println("streams " + streams("in/data.txt"));
        System.out.println("streams " + streams("in/nothing"));
        System.out.println("maps " + maps("in/data.txt"));
        System.out.println("finds " + finds());
        System.out.println("draws " + draws() + ", then " + draws());
        System.out.println("talks " + talks());
        System.out.println("stands " + stands());
        System.out.println("keeps " + keeps() + ", then " + keeps());
        System.out.println("said " + says(1, "said by the library\n".getBytes()));
        System.out.println("said " + says(-1, new byte[1]));
    }
}
