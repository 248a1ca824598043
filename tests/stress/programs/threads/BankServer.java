// BankServer: H2 as a server on a free port, which it tells; ends when a client calls stop, and tells what is in the bank.

import java.sql.Connection;
import java.sql.DriverManager;
import java.util.concurrent.CountDownLatch;
import org.h2.tools.Server;

public class BankServer {
    private static final CountDownLatch stopped = new CountDownLatch(1);

    public static void stop() {
        stopped.countDown();
    }

    public static void main(String[] args) throws Exception {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:bank")) { // keeps the bank open
            System.out.println("port " + server.getPort());
            stopped.await();
            Bank.report(connection);
        } finally {
            server.stop();
        }
    }
}
