// Index TEXT DIR THREADS: indexes a file with Lucene, a document a line; merges have threads of their own, but for THREADS 1.

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MultiFields;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.Version;

public class Index {
    public static void main(String[] args) throws Exception {
        List<String> lines = Files.readAllLines(Path.of(args[0]));
        int threads = Integer.parseInt(args[2]);
        try (Directory directory = FSDirectory.open(new File(args[1]))) {
            IndexWriterConfig config = new IndexWriterConfig(Version.LATEST, new StandardAnalyzer());
            config.setOpenMode(IndexWriterConfig.OpenMode.CREATE);
            config.setRAMBufferSizeMB(1);
            if (threads == 1)
                config.setMergeScheduler(new SerialMergeScheduler());
            try (IndexWriter writer = new IndexWriter(directory, config)) {
                System.out.println("shares " + Crew.share(threads, lines.size(),
                        (worker, number) -> writer.addDocument(document(lines.get(number)))));
            }
            tell(directory);
        }
    }

    private static Document document(String line) {
        Document document = new Document();
        document.add(new StringField("number", line.substring(0, 5), Field.Store.YES));
        document.add(new TextField("text", line.substring(6), Field.Store.YES));
        return document;
    }

    /** The words are the same in every run; the order of documents is not. */
    private static void tell(Directory directory) throws Exception {
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            TermsEnum terms = MultiFields.getTerms(reader, "text").iterator(null);
            StringBuilder words = new StringBuilder(), order = new StringBuilder();
            while (terms.next() != null) {
                words.append(terms.term().utf8ToString()).append(terms.docFreq()).append(' ');
            }
            for (int i = 0; i < reader.maxDoc(); i++) {
                order.append(reader.document(i).get("number"));
            }
            System.out.println("words " + Crew.digest(words.toString()) + " documents " + reader.numDocs());
            System.out.println("order " + Crew.digest(order.toString()) + " segments " + reader.leaves().size());
        }
    }
}
