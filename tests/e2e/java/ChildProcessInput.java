// A child with input, an environment, a directory and files of its own.
// stdout: ^said HELLO
// stdout: ^greeting [0-9]+ in .*/tmp
import java.io.File;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

public class ChildProcessInput {
    public static void main(String[] args) throws Exception {
        Files.createDirectories(Path.of("tmp"));
        Process child = new ProcessBuilder("tr", "a-z", "A-Z").start();
        try (OutputStream out = child.getOutputStream()) {
            out.write(("hello " + System.nanoTime()).getBytes());
        }
        System.out.println(
                "said " + new String(child.getInputStream().readAllBytes()) + " " + child.waitFor());

        ProcessBuilder builder =
                new ProcessBuilder("sh", "-c", "echo greeting $GREETING in $(pwd) with $(cat)");
        builder.environment().put("GREETING", Long.toString(System.nanoTime()));
        builder.directory(new File("tmp"));
        Path input = Files.writeString(Path.of("child-in"), "input");
        Path output = Path.of("child-out");
        builder.redirectInput(input.toFile()).redirectOutput(output.toFile());
        System.out.println(builder.start().waitFor());
        System.out.print(Files.readString(output));
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        System.out.println(builder.start().waitFor() + " " + Files.size(output));
    }
}
