// HTTP through java.net.URL: pages, a redirect, an error page, a post, headers with dates.
// args: @PORT@
// stdout: ^200 hello -?[0-9]+
// stdout: ^404 no page -?[0-9]+
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.Arrays;

public class HttpUrlConnection {
    public static void main(String[] args) throws Exception {
        String base = "http://127.0.0.1:" + args[0];
        for (String page : new String[] {"/hello", "/gone", "/nothing", "/big"}) {
            try {
                get(base + page);
            } catch (IOException e) {
                System.out.println(e);
            }
        }
        HttpURLConnection post = (HttpURLConnection) URI.create(base + "/echo").toURL().openConnection();
        post.setDoOutput(true);
        try {
            post.getOutputStream().write(("moment " + System.nanoTime()).getBytes());
            System.out.println(new String(post.getInputStream().readAllBytes()));
        } catch (IOException e) {
            System.out.println(e);
        }
    }

    static void get(String url) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
        int status = connection.getResponseCode();
        byte[] body =
                (status < 400 ? connection.getInputStream() : connection.getErrorStream()).readAllBytes();
        String text = body.length > 100 ? Integer.toString(Arrays.hashCode(body)) : new String(body);
        System.out.println(status + " " + text + " " + connection.getDate() + " "
                + connection.getContentLength() + " " + connection.getURL().getPath());
    }
}
