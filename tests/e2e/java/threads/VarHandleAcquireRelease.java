// Messages published by setRelease and found by getAcquire: plain fields travel with the flag.
// stdout: ^3000 messages, 0 torn$
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

public class VarHandleAcquireRelease {
    static class Mailbox {
        int sender;
        int text;
        boolean full;
    }

    static final VarHandle FULL;

    static {
        try {
            FULL = MethodHandles.lookup().findVarHandle(Mailbox.class, "full", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Mailbox[] boxes = {new Mailbox(), new Mailbox(), new Mailbox()}; // each has one writer, and one reader of all
        AtomicInteger torn = new AtomicInteger();
        AtomicInteger messages = new AtomicInteger();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; number < 3 && i < 1000; i++) {
                Mailbox box = boxes[number];
                while ((boolean) FULL.getAcquire(box)) {
                    Thread.yield();
                }
                box.sender = number;
                box.text = i * 3 + number;
                FULL.setRelease(box, true);
                trail.saw(messages.get());
            }
            while (number == 3 && messages.get() < 3000) {
                int before = messages.get();
                for (Mailbox box : boxes) {
                    if ((boolean) FULL.getAcquire(box)) {
                        torn.addAndGet(box.text % 3 == box.sender ? 0 : 1);
                        trail.saw(box.text);
                        messages.incrementAndGet();
                        FULL.setRelease(box, false);
                    }
                }
                if (messages.get() == before) {
                    Thread.yield(); // there was no mail
                }
            }
        });
        System.out.println(messages + " messages, " + torn + " torn");
        System.out.println("seen " + seen);
    }
}
