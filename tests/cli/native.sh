#!/bin/bash
# native.sh: native programs on the command line: which are recorded, which are refused, what is told of them.
here=$(realpath "$(dirname "$0")")
. "$here/lib.sh"

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

shows "what was read in bulk is packed"
yes 'the same line again' | head -c 3000000 >bulk
run "$canon" record -o bulk.trace -- wc -lc bulk
expect_status 0
mv out recorded
rm bulk
size=$(du -sk bulk.trace | cut -f1)
[ "$size" -gt 2900 ] || fail "bulk was compressed while it was recorded"
run "$canon" pack bulk.trace
expect_status 0
expect_out "before 3."
size=$(du -sk bulk.trace | cut -f1)
[ "$size" -lt 300 ] || fail "packed it has $size kB"
run "$canon" verify bulk.trace
expect_status 0
run "$canon" replay bulk.trace
expect_status 0
cmp -s out recorded || fail "the replay of a packed trace printed something else"

# A clock that canon does not see: code that is made at run time asks the processor.
cat >unseen.h <<'END'
#include <string.h>
#include <sys/mman.h>
static unsigned long long unseen(void)
{
    void *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(code, "\x0f\x31\x48\xc1\xe2\x20\x48\x09\xd0\xc3", 10); /* rdtsc; shl $32, %rdx; or %rdx, %rax; ret */
    return ((unsigned long long (*)(void))code)();
}
END

shows "a replay that would wait for ever ends"
cat >waits.c <<'END'
/* Waits for a thread that does its work only before a moment that canon does not record. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "unseen.h"
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;
static unsigned long long moment;
static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    ready = unseen() < moment;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(int argc, char **argv)
{
    pthread_t thread;
    if (argc == 1)
        return printf("%llu\n", unseen()) < 0;
    moment = strtoull(argv[1], NULL, 10);
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, work, NULL);
    while (!ready)
        pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    puts("ready");
}
END
cc -O1 -pthread -o waits waits.c || exit 1
before=$(./waits) && sleep 1 && now=$(./waits)
run "$canon" record -o waits.trace -- ./waits $((now + 3 * (now - before)))
expect_status 0
while [ "$(./waits)" -lt $((now + 3 * (now - before))) ]; do sleep 0.1; done
run timeout 10 "$canon" replay waits.trace
expect_status 70
expect_err "waits for a condition variable"

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

shows "a library has changed"
mkdir lib
printf 'int one(void) { return 1; }\n' >one.c
printf 'int one(void);\nint main(void) { return one(); }\n' >user.c
cc -shared -fPIC -Wl,--build-id -o lib/libone.so one.c && cc -o user user.c -Llib -lone -Wl,-rpath,"$work/lib" || exit 1
run "$canon" record -o user.trace -- ./user
expect_status 1
run "$canon" replay --check user.trace
expect_status 0
printf 'int one(void) { return 1; }\nint two(void) { return 2; }\n' >one.c
cc -shared -fPIC -Wl,--build-id -o lib/libone.so one.c
run "$canon" replay user.trace
expect_failure "lib/libone.so is not the library that was recorded"

shows "a library that comes later, with system calls of its own"
cat >late.c <<'END'
#include <time.h>
long tell(void)
{
    struct timespec now;
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "0"(228), "D"(0), "S"(&now) : "rcx", "r11", "memory");
    return now.tv_nsec;
}
END
cat >loads.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    void *library = dlopen(argv[argc - 1], RTLD_NOW);
    long (*tell)(void) = library ? (long (*)(void))dlsym(library, "tell") : 0;
    printf("%ld\n", tell ? tell() : 0);
    return !tell;
}
END
cc -O1 -shared -fPIC -o lib/liblate.so late.c && cc -o loads loads.c || exit 1
run "$canon" record -o loads.trace -- ./loads lib/liblate.so
expect_status 0
mv out recorded
run "$canon" replay loads.trace
expect_status 0
cmp -s out recorded || fail "its system calls were not recorded"

shows "a program without symbols"
cp program stripped && strip -s stripped
run "$canon" record -o stripped.trace -- ./stripped a </dev/null
expect_status 0
run "$canon" replay --check stripped.trace
expect_status 0

shows "system calls that are forbidden"
cat >forbid.c <<'END'
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)atoi(argv[1]), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog all = {sizeof code / sizeof *code, code};
    if (argc < 3 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all))
        return 77;
    execvp(argv[2], argv + 2);
    return 77;
}
END
cc -o forbid forbid.c && cc -pthread -o threads "$here/../e2e/native/mutexes.c" || exit 1
for call in 324 319 222; do # membarrier, memfd_create, timer_create
  run ./forbid $call "$canon" record -o "forbidden.$call" -- ./threads
  expect_status 0
  run ./forbid $call "$canon" replay --check "forbidden.$call"
  expect_status 0
done
run ./forbid 135 "$canon" record -o personality.trace -- ./program a </dev/null
expect_status 69
expect_err "does not permit fixed addresses"

shows "kill -9 at any moment"
for i in 1 2 3 4 5 6; do
  rm -rf any.trace
  "$canon" record -o any.trace -- ./program hang </dev/null >out 2>err &
  sleep "0.0$((RANDOM % 9))"
  while kill -0 $! 2>/dev/null; do # it may not have been started yet
    for pid in $(pgrep -P $!); do kill -9 "$pid" 2>/dev/null; done
  done
  wait $! 2>/dev/null
  [ -e any.trace/1 ] || continue
  run "$canon" verify any.trace
  expect_status 0
  run "$canon" replay any.trace
  expect_no_crash
  expect_status 137 71
done

shows "a list of racing instructions: what is wrong with it, and that the trace keeps it"
run "$canon" record --racy=missing -o x.trace -- ./program
expect_usage "--racy=missing: no such file"
echo "canon racing instructions" >list
run "$canon" record --racy=list -o x.trace -- ./program
expect_usage "--racy=list: line 1"
printf 'canon racing instructions 1\nno list\n' >list
run "$canon" record --racy=list -o x.trace -- ./program
expect_usage "--racy=list: line 2"
printf 'canon racing instructions 1\n00112233445566778899 12 nothing\n' >list
run "$canon" record --racy=list --order=serial -o x.trace -- ./program
expect_usage "not with --order=serial"
[ -e x.trace ] && fail "there is a trace of a recording that was refused"
run "$canon" record --racy=list -o listed.trace -- ./program </dev/null
expect_status 0
expect_no_err
grep -q '^0011223344556677889900000000000000000000 12 nothing$' listed.trace/racy || fail "the list is not in the trace"
rm list
run "$canon" replay --check listed.trace
expect_status 0

shows "options of Java programs"
run "$canon" record --heap-digest -o x.trace -- ./program
expect_status 64
expect_err "for Java programs"
run "$canon" replay --races numbers.trace
expect_status 64

shows "detectors"
run "$canon" record --detect=everything -o x.trace -- ./program
expect_status 64
expect_err "there are overflow and uaf"
run "$canon" record --epoch=10 -o x.trace -- ./program
expect_status 64
expect_err "with --in-situ"
run "$canon" record --in-situ --epoch=never -o x.trace -- ./program
expect_status 64
[ ! -e x.trace ] || fail "a trace was made"
run "$canon" replay --detect numbers.trace
expect_status 64
expect_err "recorded without detectors"
seq 1000 >numbers
./program a <numbers >plain
run "$canon" record --detect=overflow --in-situ -o detect.trace -- ./program a <numbers
expect_status 0
expect_no_err
cmp -s out plain || fail "another output with detectors"
rm numbers
run "$canon" replay --detect detect.trace
expect_status 0
expect_no_err
cmp -s out plain || fail "the replay printed something else"

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
run "$canon" pack killed.trace
expect_status 0
expect_out "left as it is"
run "$canon" replay killed.trace
expect_status 71
expect_out "|hang"

shows "a replay that was told to end"
cat >deaf.c <<'END'
#include <signal.h>
#include <stdio.h>
int main(void)
{
    signal(SIGTERM, SIG_IGN);
    puts("ready");
    fflush(stdout);
    for (volatile unsigned long i = 0;; i++)
        ;
}
END
cc -o deaf deaf.c || exit 1
"$canon" record -o deaf.trace -- ./deaf >deaf.out 2>err &
await deaf.out ready
pkill -KILL -P $!
wait $!
"$canon" replay deaf.trace >deaf.out 2>err &
await deaf.out ready
kill -TERM $!
for _ in $(seq 50); do kill -0 $! 2>/dev/null && sleep 0.1; done
kill -0 $! 2>/dev/null && pkill -KILL -P $! && fail "it goes on"

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
#include "unseen.h"
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
    printf("%d %llu\n", word, unseen());
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
