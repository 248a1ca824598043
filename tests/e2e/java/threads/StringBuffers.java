// A StringBuffer that all threads write to: appends, inserts, deletions, and what a reader gets.
// stdout: ^length [0-9]+, hash
public class StringBuffers {
    public static void main(String[] args) throws Exception {
        StringBuffer text = new StringBuffer();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 1000; i++) {
                text.append(number).append((char) ('a' + i % 26));
                if (i % 10 == number) {
                    text.insert(0, number);
                }
                if (i % 100 == 0) {
                    trail.saw(text.toString());
                    synchronized (text) {
                        text.setLength(text.length() * 3 / 4);
                    }
                }
                trail.saw(text.length());
            }
        });
        System.out.println("length " + text.length() + ", hash " + text.toString().hashCode());
        System.out.println(text.substring(0, 60));
        System.out.println("seen " + seen);
    }
}
