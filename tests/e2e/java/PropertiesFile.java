// Loads properties, stores them with the date in a comment, as text and as XML.
// args: in/app.properties
// stdout: ^nonce=@NONCE@$
// stdout: ^#[A-Z][a-z]{2} [A-Z][a-z]{2} [0-9]
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.FileWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

public class PropertiesFile {
    public static void main(String[] args) throws Exception {
        Properties properties = new Properties();
        try (FileInputStream in = new FileInputStream(args[0])) {
            properties.load(in);
        } catch (FileNotFoundException e) {
            System.out.println("none");
        }
        System.out.println(properties);
        properties.setProperty("moment", Long.toString(System.nanoTime()));
        try (FileWriter out = new FileWriter("stored")) {
            properties.store(out, "kept");
        }
        System.out.print(Files.readString(Path.of("stored")));
        try (FileOutputStream out = new FileOutputStream("stored.xml")) {
            properties.storeToXML(out, "kept");
        }
        Properties back = new Properties();
        try (FileInputStream in = new FileInputStream("stored.xml")) {
            back.loadFromXML(in);
        }
        System.out.println(back.equals(properties) + " " + back.getProperty("greeting"));
    }
}
