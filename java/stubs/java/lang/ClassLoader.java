package java.lang;

/** What the helper classes see of ClassLoader when they are compiled. */
public abstract class ClassLoader {
    /** It is not parallel capable, though the JVM takes it for that (src/jvm/loaders.h). */
    public transient boolean canonSerial;
}
