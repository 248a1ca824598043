// Owner, group and permission bits, read and set.
// args: in/data.txt
// stdout: ^rw-r-----$
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalNotFoundException;

public class PosixAttributes {
    public static void main(String[] args) throws Exception {
        Path path = Path.of(args[0]);
        if (Files.notExists(path)) {
            System.out.println("no file");
            return;
        }
        var view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
        var before = view.readAttributes();
        System.out.println(before.owner() + " " + before.group() + " "
                + PosixFilePermissions.toString(before.permissions()));
        view.setPermissions(PosixFilePermissions.fromString("rw-r-----"));
        System.out.println(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
        view.setOwner(before.owner());
        view.setGroup(before.group());
        System.out.println(Files.getOwner(path) + " " + Files.getAttribute(path, "unix:uid") + " "
                + Files.getAttribute(path, "unix:ino") + " " + Files.getAttribute(path, "unix:mode"));
        Files.createDirectory(Path.of("in/private"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        System.out.println(Files.getPosixFilePermissions(Path.of("in/private")));
        try {
            path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("no-such-user");
        } catch (UserPrincipalNotFoundException e) {
            System.out.println("no user " + e.getName());
        }
    }
}
