#!/bin/bash
# insitu.sh CANON DIR: `canon record --in-situ`: programs with planted bugs run their last epoch again in the same process,
# which names the guilty line; what they print and how they end is as ever.
set -u
here=$(cd "$(dirname "$0")" && pwd)
canon=$(realpath "$1") dir=$2
rm -rf "$dir" && mkdir -p "$dir" && cd "$dir" || exit 1
ulimit -c 0
failures=0
fail() { failures=$((failures + 1)); echo "FAILED: $name: $*"; sed 's/^/  /' "$name.err" | head -30; }
line_of() { grep -n '/\* guilty \*/' "$1" | cut -d: -f1; }
compile() { cc -std=gnu17 -D_GNU_SOURCE -O1 -g -w -pthread "$@" || fail "does not compile"; }

# record EPOCH COMMAND...: into $name.out, $name.err and $status
record() {
  local epoch=$1
  shift
  rm -rf "$name.trace"
  timeout 60 "$canon" record --kind=native --in-situ --epoch="$epoch" --detect=overflow,uaf -o "$name.trace" -- "$@" \
    >"$name.out" 2>"$name.err"
  status=$?
}
again() { grep -q 'ran again in the same process, at try 1' "$name.err" || fail "the last epoch did not run again"; }

for name in overflow_by_one overflow_in_read overflow_in_thread underflow_in_thread write_after_free \
  write_after_free_by_other double_free_in_thread write_after_free_crashes; do
  source=$here/native/bugs/$name.c
  signal=$(sed -n '1s/.*signal: \([0-9]*\).*/\1/p' "$source")
  compile -o "$name" "$source"
  for epoch in 2 500; do
    record $epoch "./$name"
    [ $status = $((signal ? 128 + signal : 0)) ] || fail "recorded with status $status"
    again
    grep -q "culprit: .*/$name.c:$(line_of "$source")\$" "$name.err" || fail "the line is not named"
  done
done

# Threads that meet all the time: wherever the snapshot finds them, they go the same way again.
name=meetings
compile -o meetings "$here/native/insitu/meetings.c"
for epoch in 1 3 7 11 13; do
  record $epoch ./meetings 60
  again
  grep -q '5 of 5 threads came as far as they had; the heap is the same' meetings.err || fail "the epoch ran again in another way"
done

# Threads that compute when the program ends: what they had not begun to write is the same.
name=unfinished
compile -o unfinished "$here/native/insitu/unfinished.c"
for epoch in 5 7 9; do
  record $epoch ./unfinished
  again
  grep -q '3 of 3 threads came as far as they had; the heap is the same' unfinished.err || fail "the epoch ran again in another way"
done

# An epoch is over after so much time, or so many events.
name=reader
cat >reader.c <<'END'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
    static char bytes[1 << 20];
    int zeros = open("/dev/zero", O_RDONLY);
    for (int i = 0; i < 48; i++) {
        if (read(zeros, bytes, sizeof bytes) != sizeof bytes)
            return 1;
        usleep(5000);
    }
    volatile char *block = malloc(40);
    block[40] = 1;
}
END
compile -o reader reader.c
record 60000 ./reader
grep -q 'canon: epoch 1, the last one, ran again' reader.err || fail "an epoch ended that should not"
rm -rf reader.trace
timeout 60 "$canon" record --in-situ --epoch=60000 --epoch-log=4 --detect=overflow -o reader.trace -- ./reader 2>reader.err
epochs=$(sed -n 's/.*epoch \([0-9]*\), the last one, ran again.*/\1/p' reader.err)
[ "${epochs:-0}" -ge 5 ] && [ "$epochs" -le 13 ] || fail "48 MB had ${epochs:-no} epochs of 4 MB"

# A program without a bug of its own: nothing is said; then with one that is planted.
name=python3
if type -P python3 >/dev/null; then
  compile -shared -fPIC -o plant.so "$here/native/insitu/plant.c"
  script='import threading, json
t = [threading.Thread(target=lambda: json.loads(json.dumps(list(range(5000))))) for _ in range(4)]
[x.start() for x in t]; [x.join() for x in t]; print(len(t))'
  python=$(python3 -c 'import sys; print(sys.executable)')
  record 10 "$python" -c "$script"
  [ $status = 0 ] && [ ! -s $name.err ] || fail "something is said of a program without a bug"
  cp $name.out plain.out
  LD_PRELOAD=$PWD/plant.so record 10 "$python" -c "$script"
  [ $status = 0 ] && cmp -s $name.out plain.out || fail "other output, or status $status"
  again
  grep -q "culprit: plant .*/plant.c:$(line_of "$here/native/insitu/plant.c")\$" $name.err || fail "the line is not named"
fi

# A race: the fault is where it is, whether it comes again or not; and the signal is the program's.
name=crasher
compile -o crasher "$here/native/insitu/crasher.c"
record 50 ./crasher
[ $status = 139 ] || fail "status $status"
grep -q "culprit: use .*/crasher.c:$(line_of "$here/native/insitu/crasher.c")\$" crasher.err || fail "the line is not named"
grep -qE 'ran again in the same process|could not be run again the same way' crasher.err || fail "nothing is said of the epoch"

[ $failures = 0 ] || exit 1
cd / && rm -rf "$dir"
