// Functions of libc that Java code calls without JNI.
// only: 25
// jvm: --enable-native-access=ALL-UNNAMED
// stdout: ^read [0-9]+: first line$
// stdout: ^no file: 2 -1$
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

public class ForeignFunctions {
    private static final Linker LINKER = Linker.nativeLinker();

    private static MethodHandle find(String name, FunctionDescriptor type, Linker.Option... options) {
        return LINKER.downcallHandle(LINKER.defaultLookup().find(name).get(), type, options);
    }

    public static void main(String[] args) throws Throwable {
        MethodHandle getpid = find("getpid", FunctionDescriptor.of(ValueLayout.JAVA_INT));
        MethodHandle time = find("time", FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS),
                Linker.Option.critical(false));
        MethodHandle open = find("open", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS,
                ValueLayout.JAVA_INT), Linker.Option.captureCallState("errno"));
        MethodHandle read = find("read", FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
        VarHandle errno = Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));
        System.out.println((int) getpid.invokeExact() + " at " + (long) time.invokeExact(MemorySegment.NULL));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
            MemorySegment data = arena.allocate(100);
            int fd = (int) open.invokeExact(state, arena.allocateFrom("in/data.txt"), 0);
            long length = (long) read.invokeExact(fd, data, 99L);
            System.out.println("read " + length + ": " + data.getString(0));
            int none = (int) open.invokeExact(state, arena.allocateFrom("in/nothing"), 0);
            System.out.println("no file: " + (int) errno.get(state, 0L) + " " + none);
        }
    }
}
