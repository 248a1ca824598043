// A ConcurrentSkipListMap as a list of numbered claims: first, last, ceiling and floor change under everyone's hands.
// stdout: ^[0-9]+ claims left of 6000$
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

public class SkipListMaps {
    public static void main(String[] args) throws Exception {
        ConcurrentSkipListMap<Integer, Integer> claims = new ConcurrentSkipListMap<>();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 1500; i++) {
                int key = (i * 677 + number * 13) % 2000;
                trail.saw(claims.putIfAbsent(key, number));
                Map.Entry<Integer, Integer> entry = switch (i % 4) {
                    case 0 -> claims.pollFirstEntry();
                    case 1 -> claims.ceilingEntry(1000);
                    case 2 -> claims.floorEntry(key - 1);
                    default -> claims.lastEntry();
                };
                trail.saw(entry);
                if (i % 100 == 0) {
                    trail.saw(claims.subMap(500, 600).size());
                }
            }
        });
        System.out.println(claims.size() + " claims left of 6000");
        System.out.println(claims.hashCode() + " seen " + seen);
    }
}
