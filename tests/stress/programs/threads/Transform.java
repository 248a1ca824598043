// Transform CATALOG STYLESHEET THREADS TIMES: a catalogue to HTML, many times over, by a pool of threads; tells in which
// order the results came.

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.xml.transform.Templates;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;

public class Transform {
    public static void main(String[] args) throws Exception {
        TransformerFactory factory =
                TransformerFactory.newInstance("org.apache.xalan.processor.TransformerFactoryImpl", null);
        Templates sheet = factory.newTemplates(new StreamSource(new File(args[1])));
        ExecutorService pool = Executors.newFixedThreadPool(Integer.parseInt(args[2]));
        CompletionService<String> results = new ExecutorCompletionService<>(pool);
        int times = Integer.parseInt(args[3]);
        for (int i = 0; i < times; i++) {
            int number = i;
            results.submit(() -> transform(sheet, args[0], number));
        }
        StringBuilder order = new StringBuilder();
        for (int i = 0; i < times; i++) {
            order.append(results.take().get()).append('\n');
        }
        pool.shutdown();
        System.out.print(order);
    }

    private static String transform(Templates sheet, String catalog, int number) throws Exception {
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        sheet.newTransformer().transform(new StreamSource(new File(catalog)), new StreamResult(page));
        return number + " by " + Thread.currentThread().getName() + ": " + Crew.digest(page.toByteArray());
    }
}
