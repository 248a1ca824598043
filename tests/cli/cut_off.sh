#!/usr/bin/env bash
# cut_off.sh: recordings that end by SIGKILL, of the program or of canon: they open, and replay up to their end.
. "$(dirname "$0")/lib.sh"

# start TRACE: records a program that runs until it is ended; canon's pid in $pid, the program's in $program
start() {
  "$canon" record -o "$1" -- sh -c 'echo $$ >pid; exec "$@"' sh "$JAVA" -cp "$CLASSES" Program run >"$1.out" 2>"$1.err" &
  pid=$!
  await "$1.out" ready
  program=$(cat pid)
}

# The replay prints what the recording printed, perhaps without its last line or two, and says where it ended.
expect_replay() {
  run "$canon" replay "$1"
  expect_status "$2"
  expect_no_crash
  expect_err "the recording ended here"
  local printed
  printed=$(size_of out)
  [ "$printed" -gt 100 ] || fail "it does not come far"
  cmp -s -n "$printed" out "$1.out" || cmp -s -n "$(size_of "$1.out")" out "$1.out" || fail "other output"
}

shows "a program that is killed"
start program
kill -KILL "$program"
wait $pid
status=$?
expect_status 137
run "$canon" verify program
expect_status 0
expect_out "cut off"
run "$canon" info program
expect_status 0
expect_out "signal 9"
expect_out "cut off"
expect_replay program 137

shows "canon and the program, both killed"
start both
kill -KILL $pid "$program"
wait $pid 2>/dev/null
run "$canon" info both
expect_status 0
expect_out "not seen by canon"
run "$canon" verify both
expect_status 0
expect_replay both 71
run "$canon" replay --check both
expect_status 71

shows "canon alone is killed"
start canon
kill -KILL $pid
wait $pid 2>/dev/null
sleep 0.3
kill -0 "$program" || fail "the program has not survived"
kill -TERM "$program" # its trace is whole
for _ in $(seq 50); do kill -0 "$program" 2>/dev/null && sleep 0.1; done
run "$canon" verify canon
expect_status 0
expect_out whole
run "$canon" replay canon
expect_status 143
cmp -s out canon.out || fail "other output"

finish
