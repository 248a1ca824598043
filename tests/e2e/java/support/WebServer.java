import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Random;

// /hello: text with a random number; /big: 300 kB; /gone: a redirect to /hello; /echo: the body posted;
// anything else is not found.
final class WebServer {
    public static void main(String[] args) throws Exception {
        Lifetime.begin();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        Random random = new Random();
        server.createContext(
                "/", exchange -> answer(exchange, 404, ("no page " + random.nextInt()).getBytes()));
        server.createContext(
                "/hello", exchange -> answer(exchange, 200, ("hello " + random.nextInt()).getBytes()));
        server.createContext("/big", exchange -> {
            byte[] bytes = new byte[300_000];
            random.nextBytes(bytes);
            answer(exchange, 200, bytes);
        });
        server.createContext("/gone", exchange -> {
            exchange.getResponseHeaders().set("Location", "/hello");
            answer(exchange, 302, new byte[0]);
        });
        server.createContext(
                "/echo", exchange -> answer(exchange, 200, exchange.getRequestBody().readAllBytes()));
        server.start();
        System.out.println("port " + server.getAddress().getPort());
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws java.io.IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
