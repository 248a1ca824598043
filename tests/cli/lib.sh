# lib.sh: what the command-line tests share. A test is  NAME.sh CANON WORK ; it sources this file, which gives
# it an empty directory to work in. Every expectation that is not met is reported; `finish` then fails.
#
#   JAVA        a java launcher            MAKE_TRACE  the program that writes a trace without a JVM
#   CLASSES     Program.class (compiled once, see CMakeLists.txt)
set -u
canon=$(realpath "$1")
work=$(realpath -m "$2")
limit_s=60 # what takes longer hangs
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1

failures=0
what="" # the case in work, for messages
status= # of the last `run`; its output is in the files out and err

# say what is being shown
shows() { what=$1; }

fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s: %s\n' "$what" "$*"
  printf '  command: %s\n  status: %s\n' "${last_command:-}" "${status:-}"
  sed 's/^/  out: /' out 2>/dev/null | head -20
  sed 's/^/  err: /' err 2>/dev/null | head -20
}

finish() {
  [ "$failures" = 0 ] || { printf '%s expectations not met\n' "$failures"; exit 1; }
  cd / && rm -rf "$work"
  exit 0
}

skip() {
  printf 'skipped: %s\n' "$*"
  exit 77
}

# run CMD...: standard input is empty unless redirected
run() {
  last_command=$*
  timeout -k 5 "$limit_s" "$@" >out 2>err
  status=$?
  [ "$status" != 124 ] || fail "hangs"
}

# record TRACE ARG...: records Program with these arguments
record() {
  local trace=$1
  shift
  run "$canon" record -o "$trace" -- "$JAVA" -cp "$CLASSES" Program "$@"
}

expect_status() {
  local wanted
  for wanted in "$@"; do
    [ "$status" != "$wanted" ] || return 0
  done
  fail "status $status instead of $*"
}

# A crash is never the answer, whatever the question was.
expect_no_crash() {
  case $status in
    132 | 134 | 135 | 136 | 139) fail "crashed" ;;
  esac
  ! grep -qE 'internal error|Sanitizer|A fatal error has been detected' err || fail "an internal error"
}

expect_out() { grep -qF -- "$1" out || fail "standard output does not say: $1"; }
expect_err() { grep -qF -- "$1" err || fail "standard error does not say: $1"; }
expect_no_out() { [ ! -s out ] || fail "there is output"; }
expect_no_err() { [ ! -s err ] || fail "there is something on standard error"; }
# All that canon itself has to say is one line.
expect_one_line() {
  [ "$(grep -c '^canon: ' err)" = 1 ] || fail "canon says $(grep -c '^canon: ' err) lines instead of one"
}
# Wrong usage: status 64, and nothing on standard output.
expect_usage() {
  expect_status 64
  expect_no_out
  expect_err "$1"
}
# What canon cannot do: status 69, one line that says why.
expect_failure() {
  expect_status 69
  expect_no_crash
  expect_err "$1"
  expect_one_line
}

# flip FILE OFFSET [MASK]: changes one byte in place
flip() {
  local byte
  byte=$(od -An -tu1 -j "$2" -N 1 "$1")
  printf "\\$(printf %03o $((byte ^ ${3:-0x10})))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

size_of() { stat -c %s "$1"; }

# await FILE TEXT: until the file has a line that begins with the text
await() {
  local tries
  for tries in $(seq 1 600); do
    ! grep -q "^$2" "$1" 2>/dev/null || return 0
    sleep 0.1
  done
  fail "\"$2\" does not appear in $1"
  return 1
}
