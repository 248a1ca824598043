#!/bin/bash
# debug.sh: a replay under gdb: places, events, stacks, and back to the last write.
. "$(dirname "$0")/lib.sh"
command -v gdb >/dev/null || skip "no gdb"

cat >program.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
long value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void change(long to)
{
    value = to;
}
static void *work(void *number)
{
    for (int i = 0; i < 20; i++) {
        struct timespec now;
        pthread_mutex_lock(&lock);
        clock_gettime(CLOCK_REALTIME, &now);
        if (i == 7)
            change(now.tv_nsec);
        pthread_mutex_unlock(&lock);
    }
    return number;
}
static void finish(void)
{
    char line[64];
    int n = snprintf(line, sizeof line, "%ld\n", value);
    if (write(1, line, (size_t)n) != n)
        _exit(1);
}
int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    finish();
    return 0;
}
END
gcc -g -O0 -pthread -o program program.c || exit 1
run "$canon" record -o trace -- ./program
expect_status 0
recorded=$(cat out)
written=$("$canon" dump --strand 'thread main' trace | sed -n 's/^ *\([0-9]*\) write.*/\1/p')

shows "breakpoints, places and events"
run "$canon" debug trace -batch -ex 'break finish' -ex continue -ex 'print value' -ex 'canon where' -ex 'canon events 2'
expect_status 0
expect_out "Breakpoint 1, finish ()"
expect_out "= $recorded"
expect_out "strand \"thread main\", before event $written"
grep -q "^=> *$written write" out || fail "the next event is not shown"

shows "back to the last write"
run "$canon" debug trace -batch -ex 'break finish' -ex continue -ex 'canon last-write value' -ex 'info threads'
expect_out "change 2 of value"
expect_out "change (to=$recorded)"
grep -q '"thread main\.[12]".*change' out || fail "the thread has another name"

shows "to an event, with a stack that leads to the program"
run "$canon" debug trace -batch -ex "canon goto $written" -ex backtrace -ex 'canon goto 2' -ex 'canon where'
expect_out "before event $written"
expect_out "in finish ()"
expect_out "in main ()"
expect_out "before event 2"

shows "watchpoints"
run "$canon" debug trace -batch -ex 'watch value' -ex continue -ex continue
expect_out "New value = $recorded"

shows "a recording in turns"
run "$canon" record --order=serial -o serial.trace -- ./program
expect_status 0
recorded=$(cat out)
run "$canon" debug serial.trace -batch -ex 'break finish' -ex continue -ex 'print value' -ex continue
expect_status 0
expect_out "= $recorded"
grep -q DIVERGENCE out err && fail "the replay diverges"

shows "Java programs"
"$MAKE_TRACE" java.trace >/dev/null 2>&1
run "$canon" debug java.trace
expect_failure "is for native ones"

finish
