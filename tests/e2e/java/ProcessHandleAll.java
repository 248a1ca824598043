// All the processes of the machine.
// stdout: ^we are among them: true
import java.util.List;

public class ProcessHandleAll {
    public static void main(String[] args) {
        List<ProcessHandle> all = ProcessHandle.allProcesses().toList();
        System.out.println(all.size() + " processes, the last is " + all.get(all.size() - 1).pid());
        System.out.println("we are among them: " + all.contains(ProcessHandle.current()));
        System.out.println("as " + ProcessHandle.current().pid());
        long users = all.stream().map(one -> one.info().user().orElse("?")).distinct().count();
        System.out.println(users + " users");
        all.stream().limit(5).forEach(
                one -> System.out.println(one.pid() + " " + one.info().command().orElse("-")));
    }
}
