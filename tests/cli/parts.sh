#!/bin/bash
# parts.sh: programs that start others, as parts of a trace: replayed together and one by one.
. "$(dirname "$0")/lib.sh"

# same TRACE: a replay of all processes prints what the recording had printed
same() {
  mv out recorded
  mv err recorded.err
  local before=$status
  run "$canon" replay "$1"
  expect_status "$before"
  cmp -s out recorded || fail "other output"
  cmp -s err recorded.err || fail "other errors"
}

shows "a shell, its children and its pipes"
cat >script.sh <<'END'
date +%N >&2
for i in 1 2 3; do (date +%N; exit $i); echo "$i $?"; done
seq 1 2000 | sed 's/$/ lines/' | tail -n 2 | while read -r n word; do echo "$word $n $$"; done
exec 5>&1
date +%N >&5
echo gone >/dev/null
exec sh -c 'echo "last of $0"; exit 9' "$(date +%N)"
END
run "$canon" record --kind=native -o shell.trace -- sh script.sh
expect_status 9
expect_out "last of"
rm script.sh
same shell.trace
CANON_TEST_ENFORCE=off run "$canon" replay shell.trace
! cmp -s out recorded || fail "the same without the trace"

shows "parts, one by one"
run "$canon" info shell.trace
expect_status 0
expect_out "of part 1, by fork"
expect_out "by exec"
part=$(sed -n 's/^part \([0-9]*\):.*/\1/p' out | tail -n 1)
run "$canon" replay --part "$part" shell.trace
expect_status 9
expect_out "last of"
[ "$(wc -l <out)" = 1 ] || fail "more than that part"
run "$canon" replay --part 2 shell.trace
expect_status 0
for part in $(seq 1 "$part"); do
  run "$canon" replay --check --part "$part" shell.trace
  expect_status 0
done
run "$canon" verify shell.trace
expect_status 0

shows "a compiler, which starts others"
printf '#include <stdio.h>\nint main(void) { return puts("compiled") < 0; }\n' >a.c
run "$canon" record -o gcc.trace -- gcc -v -o a a.c
expect_status 0
[ "$(./a)" = compiled ] || fail "nothing was compiled"
rm a.c a
same gcc.trace
[ ! -e a ] || fail "the replay has written a file"

shows "a child that is killed"
cat >kill.sh <<'END'
(date +%N; kill -9 $(exec sh -c 'echo $PPID'); echo never)
echo "after $?"
END
run "$canon" record --kind=native -o kill.trace -- bash kill.sh
expect_status 0
expect_out "after 137"
same kill.trace

shows "all of it is killed"
setsid "$canon" record --kind=native -o all.trace -- sh -c 'date +%N; while :; do date +%N; done' >out 2>err &
await out ''
sleep 0.5
kill -9 -- "-$!" 2>/dev/null || kill -9 $!
wait 2>/dev/null
run "$canon" verify all.trace
expect_status 0
run "$canon" replay all.trace
expect_no_crash
expect_status 71 137 # the second if canon saw the end before its own
expect_err "the recording ended here"

shows "a child that cannot be recorded"
printf 'int main(void) { return 4; }\n' >s.c
if cc -static -o static s.c 2>/dev/null; then
  run "$canon" record --kind=native -o static.trace -- sh -c './static; echo "is $?"'
  expect_out "is 4"
  run "$canon" info static.trace
  expect_out "static was started and is not recorded: it is statically linked"
  run "$canon" replay static.trace
  expect_status 0
  expect_out "is 4"
fi

finish
