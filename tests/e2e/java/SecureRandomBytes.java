// Randomness of the operating system, by every provider that draws on it.
// stdout: ^NativePRNG
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.UUID;

public class SecureRandomBytes {
    public static void main(String[] args) throws Exception {
        byte[] bytes = new byte[16];
        for (String name : new String[] {"NativePRNG", "NativePRNGNonBlocking", "SHA1PRNG", "DRBG"}) {
            SecureRandom random = SecureRandom.getInstance(name);
            random.nextBytes(bytes);
            System.out.println(name + " " + Arrays.toString(bytes));
        }
        SecureRandom random = new SecureRandom();
        System.out.println(Arrays.toString(random.generateSeed(8)) + " " + random.nextInt() + " "
                + random.nextGaussian());
        for (int i = 0; i < 1000; i++) {
            random.nextBytes(bytes);
        }
        System.out.println(Arrays.toString(bytes));
        System.out.println(UUID.randomUUID() + " " + new BigInteger(100, random));
    }
}
