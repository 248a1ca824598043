// Site: a Tomcat server with a page that counts the visits of a session and of all, on a free port, which it tells. It ends when
// /stop is asked for. What it tells at the end depends on who came when.

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.File;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

public class Site extends HttpServlet {
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicLong visits = new AtomicLong();
    private long history;

    public static void main(String[] args) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(args[0]);
        tomcat.setHostname("127.0.0.1");
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        Site site = new Site();
        Context context = tomcat.addContext("", new File(args[0]).getAbsolutePath());
        Tomcat.addServlet(context, "site", site);
        context.addServletMappingDecoded("/*", "site");
        tomcat.start();
        System.out.println("port " + tomcat.getConnector().getLocalPort());
        site.stopped.await();
        tomcat.stop();
        tomcat.destroy();
        System.out.println("visits " + site.visits + " history " + Long.toHexString(site.history));
    }

    @Override protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain");
        if (request.getRequestURI().equals("/stop")) {
            stopped.countDown();
            response.getWriter().println("bye");
            return;
        }
        HttpSession session = request.getSession();
        long visit = visits.incrementAndGet();
        synchronized (this) {
            history = history * 31 + visit + session.getId().hashCode();
        }
        session.setAttribute("visit", visit);
        for (int i = 0; i < 30; i++) {
            response.getWriter().println("item " + i + ", visit " + session.getAttribute("visit") + " of " + session.getId());
        }
    }
}
