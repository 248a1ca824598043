package jdk.test.whitebox;

import java.lang.reflect.Executable;

/** HotSpot's own door for tests, as far as we need it: asks for a method to be compiled. */
public class WhiteBox {
    static {
        registerNatives();
    }

    private static native void registerNatives();

    private native boolean enqueueMethodForCompilation0(Executable method, int level, int bci);

    /** False when the JIT compiler refuses. */
    public boolean compile(Executable method, int level) {
        return enqueueMethodForCompilation0(method, level, -1);
    }
}
