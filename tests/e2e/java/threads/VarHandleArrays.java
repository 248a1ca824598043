// VarHandles of array elements, and of a byte buffer seen as longs.
// stdout: ^elements sum 4000, view [0-9a-f]+$
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

public class VarHandleArrays {
    static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);
    static final VarHandle NAME = MethodHandles.arrayElementVarHandle(String[].class);
    static final VarHandle BUFFER = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    public static void main(String[] args) throws Exception {
        int[] elements = new int[8];
        String[] names = new String[8];
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 1000; i++) {
                int slot = (i + number * 3) % 8;
                trail.saw((int) ELEMENT.getAndAdd(elements, slot, 1));
                trail.saw((int) ELEMENT.getVolatile(elements, 7 - slot));
                String before = (String) NAME.getAcquire(names, slot);
                trail.saw(before);
                trail.saw(NAME.compareAndSet(names, slot, before, "thread " + number));
                long view = (long) BUFFER.getVolatile(buffer, slot * 8);
                trail.saw(BUFFER.compareAndSet(buffer, slot * 8, view, view * 31 + number));
            }
        });
        int sum = 0;
        Crew.Trail view = new Crew.Trail();
        for (int i = 0; i < 8; i++) {
            sum += elements[i];
            view.saw(names[i]);
            view.saw((long) BUFFER.getVolatile(buffer, i * 8));
        }
        System.out.println("elements sum " + sum + ", view " + view.hex());
        System.out.println("seen " + seen);
    }
}
