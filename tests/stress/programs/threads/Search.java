// Search QUERIES DIR THREADS ROUNDS: asks the queries of a file of an index that Index has made.

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.FSDirectory;

public class Search {
    public static void main(String[] args) throws Exception {
        List<String> queries = Files.readAllLines(Path.of(args[0]));
        int threads = Integer.parseInt(args[2]), rounds = Integer.parseInt(args[3]);
        String[] found = new String[queries.size()];
        try (DirectoryReader reader = DirectoryReader.open(FSDirectory.open(new File(args[1])))) {
            IndexSearcher searcher = new IndexSearcher(reader);
            System.out.println("shares " + Crew.share(threads, rounds * found.length, (worker, number) -> {
                int which = number % found.length;
                found[which] = search(searcher, queries.get(which));
            }));
        }
        System.out.println("found " + Crew.digest(String.join("\n", found)));
    }

    private static String search(IndexSearcher searcher, String query) throws Exception {
        TopDocs top = searcher.search(new QueryParser("text", new StandardAnalyzer()).parse(query), 10);
        StringBuilder text = new StringBuilder().append(top.totalHits);
        for (ScoreDoc hit : top.scoreDocs) {
            text.append(' ').append(searcher.doc(hit.doc).get("number")).append(':').append(hit.score);
        }
        return text.toString();
    }
}
