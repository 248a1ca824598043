// Synchronized methods that are inherited, overridden without the keyword, and called through an interface.
// stdout: ^20000 notes, order [0-9a-f]+$
public class SyncInherited {
    interface Book {
        int note(int number);

        default int noteTwice(int number) {
            synchronized (this) { // two notes that nobody separates
                note(number);
                return note(-number);
            }
        }
    }

    static class Plain implements Book {
        protected int notes;
        protected long order;

        @Override
        public synchronized int note(int number) {
            order = order * 31 + number;
            return ++notes;
        }
    }

    static class Derived extends Plain {
        @Override
        public int note(int number) { // not synchronized: only what it calls is
            return super.note(number * 7);
        }

        synchronized long order() {
            return order;
        }
    }

    public static void main(String[] args) throws Exception {
        Derived book = new Derived();
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 2500; i++) {
                trail.saw(i % 2 == 0 ? book.noteTwice(number) : book.note(number) + book.note(number));
                trail.saw(book.order());
            }
        });
        System.out.println(book.notes + " notes, order " + Long.toHexString(book.order));
        System.out.println("seen " + seen);
    }
}
