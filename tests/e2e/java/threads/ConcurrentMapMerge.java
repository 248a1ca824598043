// ConcurrentHashMap.merge and putIfAbsent while the table grows under all threads.
// stdout: ^3000 words, 12000 merged$
import java.util.concurrent.ConcurrentHashMap;

public class ConcurrentMapMerge {
    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<String, String> words = new ConcurrentHashMap<>(2);
        ConcurrentHashMap<Integer, Integer> owners = new ConcurrentHashMap<>();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 3000; i++) {
                int word = i * (number + 1) * 7 % 3001 % 3000;
                trail.saw(words.merge("w" + i, String.valueOf(number), String::concat).length());
                trail.saw(owners.putIfAbsent(word, number));
            }
        });
        int merged = 0;
        Crew.Trail order = new Crew.Trail();
        for (int i = 0; i < 3000; i++) {
            merged += words.get("w" + i).length();
            order.saw(words.get("w" + i));
            order.saw(owners.get(i));
        }
        System.out.println(words.size() + " words, " + merged + " merged");
        System.out.println("order " + order.hex() + ", seen " + seen);
    }
}
