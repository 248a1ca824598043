// Keys, ciphers and signatures from fresh randomness; a key store written and read.
// stdout: ^signature verifies true
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.Signature;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

public class CryptoAndKeyStore {
    public static void main(String[] args) throws Exception {
        KeyGenerator generator = KeyGenerator.getInstance("AES");
        generator.init(256);
        SecretKey key = generator.generateKey();
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, key);
        show("iv", cipher.getIV());
        show("sealed", cipher.doFinal("a secret".getBytes()));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(key);
        show("mac", mac.doFinal(new byte[100]));
        show("digest", MessageDigest.getInstance("SHA-512").digest(key.getEncoded()));
        var spec = new PBEKeySpec("password".toCharArray(), cipher.getIV(), 1000, 128);
        show("derived",
                SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec).getEncoded());

        KeyPair pair = KeyPairGenerator.getInstance("EC").generateKeyPair();
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(pair.getPrivate());
        byte[] signed = signature.sign();
        show("signature", signed);
        signature.initVerify(pair.getPublic());
        System.out.println("signature verifies " + signature.verify(signed));

        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setEntry("mine", new KeyStore.SecretKeyEntry(key),
                new KeyStore.PasswordProtection("pw".toCharArray()));
        try (FileOutputStream out = new FileOutputStream("keys.p12")) {
            store.store(out, "pw".toCharArray());
        }
        KeyStore back = KeyStore.getInstance("PKCS12");
        try (FileInputStream in = new FileInputStream("keys.p12")) {
            back.load(in, "pw".toCharArray());
        }
        System.out.println(
                back.getKey("mine", "pw".toCharArray()).equals(key) + " " + back.getCreationDate("mine"));
    }

    static void show(String what, byte[] bytes) {
        System.out.println(what + " " + HexFormat.of().formatHex(bytes));
    }
}
