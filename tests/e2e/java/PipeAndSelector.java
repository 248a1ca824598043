// A pipe to oneself with a selector; wakeup, selectNow, time-outs.
// stdout: ^read moment [0-9]+
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;

public class PipeAndSelector {
    public static void main(String[] args) throws Exception {
        Pipe pipe = Pipe.open();
        try (Selector selector = Selector.open(); Pipe.SourceChannel source = pipe.source()) {
            source.configureBlocking(false);
            source.register(selector, SelectionKey.OP_READ);
            System.out.println("now " + selector.selectNow() + ", soon " + selector.select(20));
            selector.wakeup();
            System.out.println("woken " + selector.select());
            ByteBuffer buffer = ByteBuffer.allocate(100);
            System.out.println("empty " + source.read(buffer));
            pipe.sink().write(StandardCharsets.UTF_8.encode("moment " + System.nanoTime()));
            System.out.println("selected " + selector.select(1000) + " " + selector.selectedKeys().size());
            int n = source.read(buffer);
            System.out.println("read " + StandardCharsets.UTF_8.decode(buffer.flip()) + ", " + n + " bytes");
            pipe.sink().close();
            System.out.println("at the end " + source.read(buffer.clear()));
        }
    }
}
