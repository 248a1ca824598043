// The order in which references come out of a queue, polled and waited for.
// stdout: ^all [0-9]+ came
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;

public class PhantomQueue {
    public static void main(String[] args) throws Exception {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        Map<Reference<?>, String> names = new HashMap<>();
        int pairs = 20 + (int) (System.nanoTime() % 50);
        for (int i = 0; i < pairs; i++) {
            names.put(new PhantomReference<>(new Object(), queue), "phantom" + i);
            names.put(new WeakReference<>(new Object(), queue), "weak" + i);
        }
        System.out.println("before " + queue.poll());
        StringBuilder order = new StringBuilder();
        int came = 0;
        while (came < 2 * pairs) {
            System.gc();
            for (Reference<?> one = queue.remove(100); one != null; one = queue.poll()) {
                order.append(names.get(one)).append(' ');
                came++;
            }
        }
        System.out.println("all " + came + " came");
        System.out.println(order);
        Object kept = new Object();
        Reference<Object> reference = new WeakReference<>(kept, queue);
        System.out.println(
                reference.enqueue() + " " + (queue.poll() == reference) + " " + reference.enqueue());
        System.out.println(queue.remove(5) + " " + (kept == null) + " " + System.identityHashCode(reference));
    }
}
