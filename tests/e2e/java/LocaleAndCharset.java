// Locale and character sets, which come from the environment and shape the output's bytes.
// stdout: ^UTF-8
import java.nio.charset.Charset;
import java.text.NumberFormat;
import java.util.Currency;
import java.util.Locale;

public class LocaleAndCharset {
    public static void main(String[] args) {
        System.out.println(Charset.defaultCharset() + " " + Locale.getDefault() + " "
                + Locale.getDefault(Locale.Category.FORMAT));
        System.out.println(System.getProperty("file.encoding") + " " + System.getProperty("sun.jnu.encoding")
                + " " + System.getProperty("native.encoding") + " " + System.getProperty("stdout.encoding"));
        System.out.println("größer, 音楽, \ud834\udd1e");
        System.out.println(new String(new byte[] {(byte) 0xc3, (byte) 0xbc}).length() + " "
                + "ü".getBytes().length);
        double number = 1_234_567.891 + System.nanoTime();
        System.out.println(
                String.format("%,.3f", number) + " " + String.format(Locale.GERMANY, "%,.3f", number));
        System.out.println(NumberFormat.getCurrencyInstance(Locale.JAPAN).format(number) + " "
                + Currency.getInstance(Locale.FRANCE).getDisplayName(Locale.FRANCE));
    }
}
