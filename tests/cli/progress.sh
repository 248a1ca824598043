#!/usr/bin/env bash
# progress.sh: on a terminal a long replay tells how far it is, and leaves nothing of that behind.
. "$(dirname "$0")/lib.sh"
command -v script >/dev/null || skip "no script(1)"

record trace work 16
expect_status 0
cp out program.out
record long-line line 12
expect_status 0
cp out line.out

# on_terminal CMD...: what a terminal gets is in the file typed; the terminal of who runs the test is not used
on_terminal() {
  last_command=$*
  TERM=xterm timeout -k 5 "$limit_s" script -qefc "stty -onlcr; exec $(printf '%q ' "$@")" typed.log >typed </dev/null
  status=$?
}

# What one sees in the end: carriage returns and "erase to the end of the line" done.
screen() {
  python3 - "$1" <<'PY'
import sys
for line in open(sys.argv[1], "rb").read().split(b"\n"):
    shown, at, i = bytearray(), 0, 0
    while i < len(line):
        if line[i:i + 1] == b"\r":
            at = 0
        elif line[i:i + 3] == b"\033[K":
            del shown[at:]
            i += 2
        else:
            shown[at:at + 1] = line[i:i + 1]
            at += 1
        i += 1
    sys.stdout.buffer.write(bytes(shown) + b"\n")
PY
}

shows "progress"
on_terminal "$canon" replay trace
expect_status 0
tr '\r' '\n' <typed >lines
percents=$(sed -n 's/^canon: replayed \([0-9]*\)% of [0-9]* events.*/\1/p' lines)
[ "$(printf '%s\n' $percents | wc -l)" -ge 3 ] || fail "no progress is shown"
[ "$(printf '%s\n' $percents)" = "$(printf '%s\n' $percents | sort -n)" ] || fail "it goes back"
[ "$(printf '%s\n' $percents | sort -nu | wc -l)" -ge 2 ] || fail "it does not move"
screen typed | sed '$d' >seen
cmp -s seen program.out || fail "the terminal shows something else in the end: $(diff seen program.out | head -5)"

shows "a line of the program's own that is not ended"
on_terminal "$canon" replay long-line
expect_status 0
# Before it and after it canon may write: starting and ending a JVM can take seconds.
grep -o 'round 0 .*' typed >line
cmp -s line line.out || fail "canon writes into it: $(diff line line.out | head -5)"
screen typed | sed '$d' >seen
cmp -s seen line.out || fail "the terminal shows something else in the end: $(diff seen line.out | head -5)"

shows "standard output elsewhere"
on_terminal sh -c '"$1" replay trace >replay.out' sh "$canon"
expect_status 0
cmp -s replay.out program.out || fail "other output"
grep -q 'replayed [0-9]*%' typed || fail "no progress is shown"
[ -z "$(screen typed | tr -d '\n')" ] || fail "something stays on the terminal"

shows "standard error elsewhere"
on_terminal sh -c '"$1" replay trace 2>replay.err' sh "$canon"
expect_status 0
[ ! -s replay.err ] || fail "there is something on standard error"
! grep -q replayed typed || fail "progress without a terminal"

shows "--quiet, and a terminal that cannot do it"
on_terminal "$canon" replay --quiet trace
expect_status 0
[ ! -s typed ] || fail "it is not quiet"
on_terminal env TERM=dumb "$canon" replay trace
expect_status 0
! grep -q replayed typed || fail "progress on a dumb terminal"

finish
