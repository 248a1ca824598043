// Parses XML from a file with an external entity, queries and transforms it.
// args: in/doc.xml
// stdout: ^title: about @NONCE@$
import java.io.File;
import java.io.StringWriter;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.SAXParserFactory;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.xml.sax.Attributes;
import org.xml.sax.helpers.DefaultHandler;

public class XmlDocuments {
    public static void main(String[] args) throws Exception {
        File file = new File(args[0]);
        if (!file.exists()) {
            System.out.println("no file");
            return;
        }
        Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file);
        var xpath = XPathFactory.newInstance().newXPath();
        System.out.println("title: " + xpath.evaluate("/doc/title", document));
        System.out.println("sum " + xpath.evaluate("sum(//n)", document));
        SAXParserFactory.newInstance().newSAXParser().parse(file, new DefaultHandler() {
            @Override
            public void startElement(String uri, String local, String name, Attributes attributes) {
                System.out.print("<" + name + attributes.getLength() + ">");
            }
        });
        System.out.println();
        StringWriter text = new StringWriter();
        TransformerFactory.newInstance().newTransformer(new StreamSource(new File("in/style.xsl")))
                .transform(new DOMSource(document), new StreamResult(text));
        System.out.println(text);
    }
}
