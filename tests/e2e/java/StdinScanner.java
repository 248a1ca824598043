// A Scanner over standard input that comes through a pipe, in pieces.
// stdout: ^sum 6 of a, b, c; then @NONCE@$
import java.util.Scanner;

public class StdinScanner {
    public static void main(String[] args) throws Exception {
        Scanner in = new Scanner(System.in);
        StringBuilder names = new StringBuilder();
        int sum = 0;
        while (in.hasNext("[a-z]")) {
            names.append(names.length() == 0 ? "" : ", ").append(in.next());
            sum += in.nextInt();
            System.out.println("so far " + sum);
        }
        System.out.println(
                "sum " + sum + " of " + names + "; then " + (in.hasNext() ? in.next() : "nothing"));
        System.out.println(in.hasNextLine() + " " + in.hasNext() + " " + System.in.read());
    }
}
