// Extended attributes: written, listed, read, deleted; or the error where the file system has none.
// args: in/data.txt
// stdout: ^(attributes \[|java.nio.file.FileSystemException)
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;

public class UserDefinedAttributes {
    public static void main(String[] args) {
        try {
            use(Path.of(args[0]));
        } catch (IOException e) {
            System.out.println(e);
        }
        System.out.println("done at " + System.nanoTime());
    }

    static void use(Path path) throws IOException {
        var view = Files.getFileAttributeView(path, UserDefinedFileAttributeView.class);
        String value = "it is " + System.nanoTime();
        view.write("canon.moment", StandardCharsets.UTF_8.encode(value));
        view.write("canon.other", ByteBuffer.allocate(3));
        System.out.println("attributes " + view.list());
        ByteBuffer buffer = ByteBuffer.allocateDirect(view.size("canon.moment"));
        view.read("canon.moment", buffer);
        System.out.println(StandardCharsets.UTF_8.decode(buffer.flip()));
        System.out.println(((byte[]) Files.getAttribute(path, "user:canon.other")).length);
        view.delete("canon.moment");
        System.out.println("attributes " + view.list());
        view.size("canon.moment");
    }
}
