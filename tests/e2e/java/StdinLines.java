// Lines from standard input, then what is left of it.
// stdin: first
// stdin: nonce @NONCE@
// stdin:
// stdin: größer
// stdout: ^nonce @NONCE@ 22$
import java.io.BufferedReader;
import java.io.InputStreamReader;

public class StdinLines {
    public static void main(String[] args) throws Exception {
        System.out.println("available " + System.in.available());
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(line + " " + line.length());
        }
        System.out.println(in.read() + " " + System.in.read() + " " + System.in.available());
    }
}
