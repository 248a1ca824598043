// Threads that print at the same time, lines and parts of lines, to stdout and stderr: as it comes out.
// stdout: ^done$
// stderr: ^hand-[0-3] warns of [0-9]+$
public class PrintingThreads {
    public static void main(String[] args) throws Exception {
        Crew.run(4, (number, trail) -> {
            String name = Thread.currentThread().getName();
            for (int i = 0; i < 60; i++) {
                System.out.println(name + " has line " + i);
                System.out.print(number);
                System.out.printf("-%d-", i);
                if (i % 10 == 0) {
                    System.err.println(name + " warns of " + i);
                }
                Thread.yield();
            }
        });
        System.out.println();
        System.out.println("done");
    }
}
