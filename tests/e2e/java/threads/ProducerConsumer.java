// The classic with wait and notifyAll: a buffer of five places, three producers, two consumers.
// stdout: ^1200 made, 1200 eaten, buffer was full [0-9]+ times and empty [0-9]+ times$
public class ProducerConsumer {
    private final int[] places = new int[5];
    private int made;
    private int eaten;
    private int full;
    private int empty;

    synchronized void put(int item) throws InterruptedException {
        while (made - eaten == places.length) {
            full++;
            wait();
        }
        places[made++ % places.length] = item;
        notifyAll();
    }

    synchronized int take() throws InterruptedException {
        while (made == eaten) {
            empty++;
            wait();
        }
        notifyAll();
        return places[eaten++ % places.length];
    }

    public static void main(String[] args) throws Exception {
        ProducerConsumer buffer = new ProducerConsumer();
        String seen = Crew.run(5, (number, trail) -> {
            for (int i = 0; i < (number < 3 ? 400 : 600); i++) {
                if (number < 3) {
                    buffer.put(number * 1000 + i);
                } else {
                    trail.saw(buffer.take());
                }
            }
        });
        System.out.println(buffer.made + " made, " + buffer.eaten + " eaten, buffer was full " + buffer.full
                + " times and empty " + buffer.empty + " times");
        System.out.println("seen " + seen);
    }
}
