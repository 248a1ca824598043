// Shop: a Jetty server with one servlet on a free port, which it tells. It counts what is asked for, keeps the latest in
// a list, and ends when /stop is asked for. What it tells at the end depends on who came when.

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

public class Shop extends HttpServlet {
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicLong visits = new AtomicLong();
    private final ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();
    private final Deque<String> latest = new ArrayDeque<>();
    private long history;

    public static void main(String[] args) throws Exception {
        Server server = new Server(new QueuedThreadPool(10, 10));
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        Shop shop = new Shop();
        ServletContextHandler context = new ServletContextHandler(ServletContextHandler.NO_SESSIONS);
        context.addServlet(new ServletHolder(shop), "/*");
        server.setHandler(context);
        server.start();
        System.out.println("port " + connector.getLocalPort());
        shop.stopped.await();
        server.stop();
        System.out.println("visits " + shop.visits + " " + new TreeMap<>(shop.counts));
        System.out.println("history " + Long.toHexString(shop.history) + " latest " + shop.latest);
    }

    @Override protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain");
        PrintWriter out = response.getWriter();
        if (request.getPathInfo().equals("/stop")) {
            stopped.countDown();
            out.println("bye");
            return;
        }
        long visit = visits.incrementAndGet();
        counts.merge(request.getPathInfo(), 1, Integer::sum);
        synchronized (latest) {
            history = history * 31 + visit;
            latest.addLast(Thread.currentThread().getName().replaceAll("@[0-9a-f]*", "") + ":" + visit);
            if (latest.size() > 5)
                latest.removeFirst();
        }
        for (int i = 0; i < 30; i++) {
            out.println("item " + i + " of " + request.getPathInfo() + ", visit " + visit);
        }
    }
}
