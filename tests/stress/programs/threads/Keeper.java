// Keeper: a ZooKeeper server on a free port, which it tells; ends when a client makes /stop, and tells what it keeps.
//   Keeper DIR                 the server, with its log and snapshots in DIR
//   Keeper THREADS STEPS PORT  its clients: each thread has a connection, and makes, changes and watches nodes

import java.io.File;
import java.net.InetSocketAddress;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

public class Keeper {
    public static void main(String[] args) throws Exception {
        if (args.length == 1) {
            serve(new File(args[0]));
        } else {
            ask(Integer.parseInt(args[0]), Integer.parseInt(args[1]), args[2]);
        }
    }

    private static void serve(File directory) throws Exception {
        ZooKeeperServer server = new ZooKeeperServer(directory, directory, 200);
        ServerCnxnFactory factory = NIOServerCnxnFactory.createFactory(new InetSocketAddress("127.0.0.1", 0), 100);
        factory.startup(server);
        System.out.println("port " + factory.getLocalPort());
        DataTree tree = server.getZKDatabase().getDataTree();
        while (tree.getNode("/stop") == null) {
            Thread.sleep(20);
        }
        System.out.println("last change " + tree.lastProcessedZxid + ", " + tree.getNodeCount() + " nodes");
        for (String name : new TreeSet<>(tree.getNode("/tasks").getChildren())) {
            System.out.println(name + " " + new String(tree.getNode("/tasks/" + name).getData()));
        }
        factory.shutdown();
        factory.join();
        System.out.println("stopped");
    }

    private static ZooKeeper connect(String port) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper keeper = new ZooKeeper("127.0.0.1:" + port, 20000, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        connected.await();
        return keeper;
    }

    private static void ask(int threads, int steps, String port) throws Exception {
        ZooKeeper first = connect(port);
        first.create("/tasks", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        AtomicInteger seen = new AtomicInteger();
        Thread[] crew = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            int number = i;
            crew[i] = new Thread(() -> work(number, steps, port, seen));
            crew[i].start();
        }
        for (Thread thread : crew) {
            thread.join();
        }
        first.create("/stop", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        System.out.println(seen + " changes seen");
    }

    private static void work(int number, int steps, String port, AtomicInteger seen) {
        try {
            ZooKeeper keeper = connect(port);
            for (int step = 0; step < steps; step++) {
                byte[] data = (number + "." + step).getBytes();
                keeper.create("/tasks/n", data, Ids.OPEN_ACL_UNSAFE,
                        step % 5 == 0 ? CreateMode.EPHEMERAL_SEQUENTIAL : CreateMode.PERSISTENT_SEQUENTIAL);
                String name = keeper.getChildren("/tasks", event -> seen.incrementAndGet()).get(0);
                try {
                    keeper.setData("/tasks/" + name, data, -1);
                } catch (KeeperException.NoNodeException e) {
                    seen.incrementAndGet(); // whoever made it has gone
                }
            }
            keeper.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
