// Objects to a file and back: dates, collections, an enum, a record, a custom form.
// stdout: ^read back .*seen=\{
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class SerializeObjects {
    enum Mood { CALM, LOUD }

    record Point(int x, long when) implements Serializable { }

    static class Note implements Serializable {
        Date when = new Date();
        Mood mood = System.nanoTime() % 2 == 0 ? Mood.CALM : Mood.LOUD;
        Map<Object, Object> seen = new HashMap<>();
        List<Point> points = new ArrayList<>();
        transient int times;

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeInt(points.size() * 100);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            times = in.readInt();
        }

        @Override
        public String toString() {
            return when + " " + when.getTime() + " " + mood + " seen=" + seen + " " + points + " " + times;
        }
    }

    public static void main(String[] args) throws Exception {
        Note note = new Note();
        for (int i = 0; i < 20; i++) {
            note.seen.put(Long.toString(System.nanoTime()), Mood.CALM);
            note.points.add(new Point(i, System.currentTimeMillis()));
        }
        try (ObjectOutputStream out = new ObjectOutputStream(new FileOutputStream("note.ser"))) {
            out.writeObject(note);
        }
        try (ObjectInputStream in = new ObjectInputStream(new FileInputStream("note.ser"))) {
            Note back = (Note) in.readObject();
            System.out.println("read back " + back);
            System.out.println(back.seen.equals(note.seen) + " " + (back.mood == note.mood));
        }
    }
}
