#!/usr/bin/env bash
# record_program.sh: a recorded program cannot tell: its input, output, status and signals are its own.
. "$(dirname "$0")/lib.sh"

shows "a command that does not exist"
run "$canon" record -o none -- ./no-such-command
expect_status 127
expect_no_out
expect_err "no-such-command: No such file or directory"
run "$canon" record -o none2 -- no-such-command-in-the-path
expect_status 127

shows "a command that is not executable"
echo data >data
run "$canon" record -o data.trace -- ./data
expect_status 126
expect_err "data: Permission denied"
mkdir directory
run "$canon" record -o directory.trace -- ./directory
expect_status 126

shows "a program that is said to be Java, and is not"
run "$canon" record --kind=java -o true.trace -- true
expect_status 0
expect_no_out
expect_err "nothing was recorded"
expect_one_line
run "$canon" record --kind=java -o false.trace -- false
expect_status 1
run "$canon" replay true.trace
expect_failure "holds no program"
run "$canon" verify true.trace
expect_status 0
expect_out "holds no program"
run "$canon" info true.trace
expect_status 0

shows "exit status"
for wanted in 0 3 64 69 70 71 255; do
  record "exit$wanted" exit $wanted
  expect_status $wanted
  [ "$(cat out)" = leaving ] || fail "other output"
  [ "$(cat err)" = "leaving, says standard error" ] || fail "other errors"
  run "$canon" replay "exit$wanted"
  expect_status $wanted
  [ "$(cat out)" = leaving ] || fail "other output"
  [ "$(cat err)" = "leaving, says standard error" ] || fail "other errors"
done
run "$canon" record -o script -- sh -c 'exit 3'
expect_status 3

shows "an exception that nobody catches"
record throw throw
expect_status 1
expect_err "IllegalStateException: thrown"
expect_no_out
run "$canon" replay throw
expect_status 1
expect_err "IllegalStateException: thrown"

shows "a program that ends by a signal"
run "$canon" record -o term -- sh -c 'kill -TERM $$'
expect_status 143
run "$canon" record -o kill -- sh -c 'kill -KILL $$'
expect_status 137
run "$canon" record -o segv -- sh -c 'kill -SEGV $$'
expect_status 139
run "$canon" info segv
expect_out "signal 11"

shows "a signal that canon gets"
"$canon" record -o signal -- "$JAVA" -cp "$CLASSES" Program run >signal.out 2>err &
pid=$!
await signal.out ready
kill -TERM $pid
wait $pid
status=$?
expect_status 143
expect_no_err
run "$canon" verify signal
expect_out whole
run "$canon" replay signal
expect_status 143
cmp -s out signal.out || fail "the replay printed something else"

shows "standard input"
seq 1 20000 >numbers
run "$canon" record -o cat -- "$JAVA" -cp "$CLASSES" Program cat <numbers
expect_status 0
expect_no_err
cmp -s out numbers || fail "what went in did not come out"
run "$canon" replay cat
expect_status 0
cmp -s out numbers || fail "the replay printed something else"

shows "arguments"
record arguments arguments '' 'a b' '*' $'odd\ttab' -- --help -o x
expect_status 0
[ "$(cat out)" = $'arguments||a b|*|odd\ttab|--|--help|-o|x' ] || fail "other arguments"

shows "environment"
env -u LD_PRELOAD "$JAVA" -cp "$CLASSES" Program environment >plain 2>&1
record environment environment
expect_status 0
expect_no_err
diff plain out >difference || fail "canon shows: $(cat difference)"

finish
