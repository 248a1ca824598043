// The collections of old, whose methods are synchronized: Hashtable, Vector, Stack.
// stdout: ^100 keys, vector [0-9]+, stack [0-9]+$
import java.util.Hashtable;
import java.util.Stack;
import java.util.Vector;

public class HashtableAndVector {
    public static void main(String[] args) throws Exception {
        Hashtable<Integer, Integer> table = new Hashtable<>();
        Vector<Integer> vector = new Vector<>();
        Stack<Integer> stack = new Stack<>();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 1000; i++) {
                trail.saw(table.put(i % 100, i * 4 + number));
                vector.addElement(i * 4 + number);
                trail.saw(vector.elementAt(i));
                stack.push(number);
                if (i % 3 == 0) {
                    synchronized (stack) {
                        trail.saw(stack.pop() * 10 + (stack.empty() ? -1 : stack.peek()));
                    }
                }
            }
        });
        System.out.println(table.size() + " keys, vector " + vector.size() + ", stack " + stack.size());
        System.out.println(table.hashCode() + " " + vector.hashCode() + " " + stack.hashCode() + " seen " + seen);
    }
}
