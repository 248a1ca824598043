// Formatting, regular expressions, big numbers, text breaking: over values drawn from the clock.
// stdout: ^pi 3\.14159265358979323846264338327950288
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.text.BreakIterator;
import java.text.Collator;
import java.text.MessageFormat;
import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

public class TextAndNumbers {
    public static void main(String[] args) {
        long now = System.currentTimeMillis();
        System.out.println(String.format(
                "%1$d %1$x %1$,d %2$tF %2$tT %3$.5e %4$-10s|%5$10s", now, now, now / 7.0, "left", "right"));
        System.out.println(MessageFormat.format("{0,number} {1,date,long} {2}", now, now, "x"));
        System.out.println(
                Pattern.compile("(\\d)(\\d+)").matcher(now + "-" + System.nanoTime()).replaceAll("$2.$1"));
        System.out.println(String.join(",", Long.toString(System.nanoTime()).split("(?<=[13579])")));
        System.out.println(
                BigInteger.valueOf(now).pow(20).mod(BigInteger.TWO.pow(61).subtract(BigInteger.ONE)));
        System.out.println("pi " + pi(60) + " " + new BigDecimal(now).sqrt(MathContext.DECIMAL128));
        System.out.println(Math.sin(now) + " " + StrictMath.exp(now % 100) + " " + Float.toString(now / 3f)
                + " " + Double.toHexString(now / 3.0));
        BreakIterator words = BreakIterator.getWordInstance(Locale.ENGLISH);
        words.setText("the quick " + now + " foxes");
        StringBuilder breaks = new StringBuilder();
        for (int at = words.first(); at != BreakIterator.DONE; at = words.next()) {
            breaks.append(at).append(' ');
        }
        System.out.println(breaks + " " + Collator.getInstance(Locale.GERMAN).compare("äpfel", "Zebra") + " "
                + Normalizer.normalize("größe", Normalizer.Form.NFD).length());
    }

    static BigDecimal pi(int digits) {
        MathContext context = new MathContext(digits);
        BigDecimal sum = BigDecimal.ZERO;
        for (int k = 0; k < digits; k++) {
            BigDecimal bracket = part(4, 8 * k + 1, context)
                                         .subtract(part(2, 8 * k + 4, context))
                                         .subtract(part(1, 8 * k + 5, context))
                                         .subtract(part(1, 8 * k + 6, context));
            sum = sum.add(bracket.divide(BigDecimal.valueOf(16).pow(k), context), context);
        }
        return sum;
    }

    static BigDecimal part(int top, int bottom, MathContext context) {
        return BigDecimal.valueOf(top).divide(BigDecimal.valueOf(bottom), context);
    }
}
