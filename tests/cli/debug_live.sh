#!/bin/bash
# debug_live.sh: a recorded program that stands before its fault, under gdb: back to the last snapshot, and on from there.
. "$(dirname "$0")/lib.sh"
command -v gdb >/dev/null || skip "no gdb"

cat >program.c <<'EOF'
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
long value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *volatile nothing;
static void change(long to)
{
    value = to;
}
static void *work(void *number)
{
    for (int i = 0; i < 50; i++) {
        struct timespec now;
        pthread_mutex_lock(&lock);
        clock_gettime(CLOCK_REALTIME, &now);
        if (i == 40)
            change(now.tv_nsec);
        pthread_mutex_unlock(&lock);
    }
    return number;
}
static void stumble(void)
{
    *nothing = 1;
}
int main(void)
{
    char line[64];
    pthread_t threads[2];
    usleep(100000);
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    int n = snprintf(line, sizeof line, "%ld\n", value);
    if (write(1, line, (size_t)n) != n)
        _exit(1);
    stumble();
    return 0;
}
EOF
gcc -g -O0 -pthread -o program program.c || exit 1

# stand TRACE: records the program up to where it waits
stand() {
  timeout -k 5 "$limit_s" "$canon" record --in-situ --epoch=30 --debug -o "$1" -- ./program >recorded 2>said &
  recorder=$!
  for _ in $(seq 300); do
    grep -q "canon debug $1" said && return
    sleep 0.1
  done
  fail "the program does not wait for a debugger"
}

shows "rollback, breakpoints and watchpoints in the same process"
stand trace
run "$canon" debug trace -batch -ex 'canon rollback' -ex 'print value' -ex 'break change' -ex continue -ex 'canon where' \
  -ex 'delete' -ex 'watch -location value' -ex continue -ex continue -ex continue -ex 'backtrace 2' -ex continue -ex 'canon epoch'
value=$(cat recorded)
expect_out "it stands before its end"
expect_out "it is about to begin again"
expect_out "\$1 = 0"
expect_out "hit Breakpoint 1, change (to="
expect_out "New value = $value"
expect_out "received signal SIGSEGV"
expect_out "stumble ()"
expect_out "the epoch has come to the same end again"
grep -qE 'thread main +event [0-9]+ to ([0-9]+), now \1; operation [0-9]+ to ([0-9]+), now \2' out || fail "main has not come as far"
wait $recorder
[ $? = 139 ] || fail "the program did not end as it had to"

shows "events, and to an event, back and forth"
stand again
run "$canon" debug again -batch -ex 'canon rollback' -ex continue -ex 'canon events 2' -ex 'canon goto 4' -ex 'canon where' -ex 'canon goto 5' \
  -ex 'canon goto 99'
expect_out "received signal SIGSEGV"
grep -qE '^ +[0-9]+ write' out || fail "the last event is not shown"
expect_out "strand \"thread main\", before event 4"
expect_out "strand \"thread main\", before event 5"
expect_err "the replay ended before event 99"
wait $recorder
[ $? = 139 ] || fail "the program did not end as it had to"

shows "a program that nobody looks at"
stand alone
kill -TERM $(pgrep -P $recorder)
wait $recorder
[ $? = 139 ] || fail "it did not end as it had to"

shows "what has ended, and what was not recorded like that"
run "$canon" debug trace -batch -ex 'canon rollback'
cat out >>err
expect_err "canon record --in-situ --debug"
run "$canon" record --debug -o no -- ./program
expect_status 64

finish
