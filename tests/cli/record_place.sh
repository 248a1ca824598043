#!/usr/bin/env bash
# record_place.sh: where a trace goes, where it cannot go, and who may read it.
. "$(dirname "$0")/lib.sh"

shows "a place that is taken"
mkdir taken
record taken hello
expect_failure "exists already"
expect_no_out
[ -z "$(ls taken)" ] || fail "something was put into it"
echo precious >file
record file hello
expect_failure "exists already"
[ "$(cat file)" = precious ] || fail "the file is not what it was"
ln -s nowhere link
record link hello
expect_failure "exists already"

shows "a place that cannot be written"
record /proc/trace hello
expect_failure "/proc/trace"
expect_no_out
record nowhere/trace hello
expect_failure "No such file or directory"
record file/trace hello
expect_failure "Not a directory"
record "$(printf 'x%.0s' $(seq 300))" hello
expect_failure "File name too long"
record "/$(printf 'x%.0s' $(seq 5000))" hello
expect_failure "too long"
if unshare -m sh -c 'mount -t tmpfs none "$1" && mount -o remount,ro "$1"' sh "$work/taken" 2>/dev/null; then
  run unshare -m sh -c 'mount -t tmpfs none taken && mount -o remount,ro taken && exec "$@"' sh \
    "$canon" record -o taken/trace -- "$JAVA" -cp "$CLASSES" Program hello
  expect_failure "Read-only file system"
  expect_no_out
fi

shows "a trace is for its owner only"
(umask 0 && record trace hello && expect_status 0 && [ "$failures" = 0 ]) || failures=$((failures + 1))
find trace -type d ! -perm 0700 | grep . && fail "directories that others may open"
find trace -type f ! -perm 0600 | grep . && fail "files that others may read"
run "$canon" replay trace
expect_status 0
find trace -type d ! -perm 0700 -o -type f ! -perm 0600 | grep . && fail "replaying changed that"

shows "the name of a trace that nobody named"
run "$canon" record "$JAVA" -cp "$CLASSES" Program hello
expect_status 0
expect_no_err
run "$canon" record -- "$JAVA" -cp "$CLASSES" Program hello
expect_status 0
run "$canon" verify canon-trace-java
expect_status 0
run "$canon" verify canon-trace-java.2
expect_status 0

shows "a name that is no text"
odd=$(printf 'odd\377\n name')
record "$odd" hello
expect_status 0
run "$canon" replay "$odd"
expect_status 0
expect_out hello

shows "-o with its value attached"
run "$canon" record --output=attached "$JAVA" -cp "$CLASSES" Program hello
expect_status 0
[ -f attached/meta.json ] || fail "there is no trace"

finish
