#!/bin/bash
# native.sh: native programs on the command line: which are recorded, which are refused, what is told of them.
. "$(dirname "$0")/lib.sh"

cat >program.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
extern char **environ;
int main(int argc, char **argv)
{
    char line[100];
    if (argc > 1 && strcmp(argv[1], "environment") == 0)
        for (char **at = environ; *at; at++)
            puts(*at);
    for (int i = 1; i < argc; i++)
        printf("|%s", argv[i]);
    puts("");
    while (fgets(line, sizeof line, stdin))
        fputs(line, stdout);
    if (argc > 1 && strcmp(argv[1], "hang") == 0) {
        fflush(stdout);
        for (;;)
            getppid();
    }
    return argc > 1 && strcmp(argv[1], "status") == 0 ? 71 : 0;
}
END
cc -o program program.c || exit 1

shows "arguments and standard input"
seq 1000 >numbers
run "$canon" record -o numbers.trace -- ./program '' 'a b' -- --help <numbers
expect_status 0
expect_no_err
mv out recorded
rm numbers
run "$canon" replay numbers.trace
expect_status 0
cmp -s out recorded || fail "the replay printed something else"
run "$canon" replay --check numbers.trace
expect_status 0
expect_no_out
run "$canon" info numbers.trace
expect_status 0
expect_out "native"
run "$canon" verify numbers.trace
expect_status 0

shows "a status that looks like canon's"
run "$canon" record -o status.trace -- ./program status </dev/null
expect_status 71
expect_no_err
run "$canon" replay status.trace
expect_status 71
expect_no_err

shows "environment"
env -i A=b PATH="$PATH" ./program environment </dev/null >plain
run env -i A=b PATH="$PATH" "$canon" record -o environment.trace -- ./program environment </dev/null
expect_status 0
cmp -s plain out || fail "other environment"

shows "the program is gone"
mv program elsewhere
run "$canon" replay numbers.trace
expect_failure "a replay needs the program that was recorded"
mv elsewhere program

shows "the program has changed"
cp program before && printf x >>program
run "$canon" replay numbers.trace
expect_failure "not the program that was recorded"
mv before program

shows "options of Java programs"
run "$canon" record --heap-digest -o x.trace -- ./program
expect_status 64
expect_err "for Java programs"
run "$canon" replay --races numbers.trace
expect_status 64

shows "a damaged trace"
cp -r numbers.trace damaged.trace
for file in damaged.trace/1/strand-*.chunks; do
  size=$(stat -c %s "$file")
  printf '\377\377\377\377' | dd of="$file" bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
done
run "$canon" replay damaged.trace
expect_status 69 70

shows "kill -9 leaves what was done"
run timeout -s KILL 1 "$canon" record -o killed.trace -- ./program hang </dev/null
pid=$(pgrep -f "$work/program hang" | head -1)
[ -z "$pid" ] || kill -9 "$pid"
run "$canon" verify killed.trace
expect_status 0
run "$canon" replay killed.trace
expect_status 71
expect_out "|hang"

shows "static programs"
cc -static -o static program.c 2>/dev/null || skip "no static libc"
run "$canon" record -o static.trace -- ./static
expect_failure "statically linked"
[ ! -e static.trace ] || fail "a trace was made"

shows "set-uid programs"
cp program setuid && chmod u+s setuid
run "$canon" record -o setuid.trace -- ./setuid
expect_failure "set-uid"

shows "programs for other processors"
cp program other && printf '\267' | dd of=other bs=1 seek=18 conv=notrunc 2>/dev/null
run "$canon" record -o other.trace -- ./other
expect_failure "not a program for x86-64"

shows "kinds"
run "$canon" record --kind=cobol -o kind.trace -- ./program
expect_status 64
expect_err "there are java and native"

shows "what has no order, and what to do about it"
cat >own.c <<'END'
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int word;
static void *work(void *unused)
{
    word++;
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    printf("%d %llu\n", word, __builtin_ia32_rdtsc()); /* something that canon does not see */
    return 0;
}
END
cc -pthread -o own own.c && "$(dirname "$canon")/canon-cc" -pthread -o ordered own.c || exit 1
run "$canon" record -o own.trace -- ./own
expect_status 0
run "$canon" replay own.trace
expect_status 70
expect_err "a data race (\`canon record --order=serial\` orders it)"
expect_err "building it with canon-cc"
run "$canon" info own.trace
expect_out "threads wait by futex, without libc"
run "$canon" record -o ordered.trace -- ./ordered
expect_status 0
run "$canon" replay ordered.trace
expect_status 70
expect_err "a data race (\`canon record --order=serial\` orders it)"
grep -q "canon-cc" err && fail "advises what was done"
run "$canon" info ordered.trace
grep -q "by futex" out && fail "notes what is ordered"
./ordered | grep -q "^1 " || fail "what canon-cc has built does not run without canon"

shows "one thread at a time: one that spins does not keep the others from running, and that is said"
cat >spins.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int there;
static void *work(void *unused)
{
    there = 1;
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    while (!there)
        ;
    pthread_join(thread, NULL);
    puts("there");
    return 0;
}
END
cc -pthread -o spins spins.c || exit 1
run timeout 30 "$canon" record --order=serial -o spins.trace -- ./spins
expect_status 0
expect_out "there"
run timeout 30 "$canon" replay spins.trace
expect_status 0
expect_out "there"
run "$canon" info spins.trace
expect_out "order of threads: serial"
expect_out "a thread computed for 2 s without a system call"

finish
