// Walks a tree: Files.walk, walkFileTree, find; a link in it that leads back up.
// args: in
// stdout: ^visited 5 directories
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

public class WalkTree {
    static int directories;
    static long bytes;

    public static void main(String[] args) throws Exception {
        Path top = Path.of(args[0]);
        try (var paths = Files.walk(top)) {
            paths.forEach(path -> System.out.println(top.relativize(path)));
        }
        Files.walkFileTree(top, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                directories++;
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                bytes += attributes.size();
                return FileVisitResult.CONTINUE;
            }
        });
        System.out.println("visited " + directories + " directories, " + bytes + " bytes");
        try (var found = Files.find(top, 9, (path, attributes) -> attributes.size() == 2)) {
            System.out.println(found.toList());
        }
        try (var paths = Files.walk(top, FileVisitOption.FOLLOW_LINKS)) {
            System.out.println(paths.count());
        } catch (java.io.UncheckedIOException e) {
            System.out.println(e.getCause());
        }
    }
}
