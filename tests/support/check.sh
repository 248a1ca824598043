#!/usr/bin/env bash
# check.sh BUILD: what `make check` runs once BUILD is built. Everything is tried, even after a failure; the
# summary at the end tells what failed, and the exit status is then 1.
#
#   format      the sources are as clang-format writes them
#   sanitized   BUILD-asan: what runs outside a JVM, with ASan and UBSan: unit tests, command line
#   fuzz        BUILD-fuzz: a short run of every fuzzer
#   tests       BUILD: unit, command-line and end-to-end tests
#
# Environment: CANON_JOBS          tests that run at once (2)
#              CANON_FUZZ_SECONDS  how long each fuzzer runs (10)
set -u
[ $# = 1 ] || { echo "usage: check.sh BUILD" >&2; exit 64; }
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(realpath -m "$1")
jobs=${CANON_JOBS:-2}
logs=$build/check
mkdir -p "$logs"
summary=()
failed=0

# stage NAME COMMAND...: runs it; its output is shown when it fails
stage() {
  local name=$1 start=$SECONDS result=passed
  shift
  printf '%-12s' "$name"
  if ! "$@" >"$logs/$name.log" 2>&1; then
    result=FAILED
    failed=1
  fi
  printf '%s, %d s\n' "$result" $((SECONDS - start))
  [ $result = passed ] || show_failure "$logs/$name.log"
  summary+=("$(printf '%-12s %-6s %s' "$name" $result "$(counts "$logs/$name.log")")")
}

# The end of a log, where ctest and compilers tell what is wrong.
show_failure() {
  printf -- '--- %s\n' "$1"
  tail -n 150 "$1"
  printf -- '---\n'
}

# What ctest counted, over all its runs in a log.
counts() {
  sed -n 's/.*% tests passed, \([0-9]*\) tests failed out of \([0-9]*\)/\1 \2/p' "$1" |
    awk '{failed += $1; all += $2} END {if (NR) printf "%d tests, %d failed", all, failed}'
  skipped=$(grep -cE '\*\*\*Skipped' "$1")
  [ "$skipped" = 0 ] || printf ', %d skipped' "$skipped"
}

# tests DIRECTORY: all that ctest knows there. A hanging test is ended by its own time limit. A test that
# fails gets one more try, because some depend on the timing of a busy machine; the summary names every test
# that needed it: such a test is a bug to be found, not one to be forgotten.
tests() {
  ctest --test-dir "$1" -j "$jobs" --output-on-failure --no-tests=error --repeat until-pass:2
}

# Tests that failed at first, over all logs.
second_tries() {
  sed -n 's/.*Test *#[0-9]*: \([A-Za-z0-9._]*\) .*\*\*\*\(Failed\|Timeout\|Exception\).*/\1/p' "$@" | sort -u
}

format() {
  cd "$source" && find src tests bench -name '*.[ch]' -print0 | xargs -0 clang-format --dry-run -Werror
}

sanitized() {
  cmake -S "$source" -B "$build-asan" -G Ninja -DCANON_SANITIZE=ON &&
    ninja -C "$build-asan" && tests "$build-asan"
}

fuzz() {
  CC=clang cmake -S "$source" -B "$build-fuzz" -G Ninja -DCANON_FUZZ=ON \
    -DCANON_FUZZ_SECONDS="${CANON_FUZZ_SECONDS:-10}" &&
    ninja -C "$build-fuzz" && tests "$build-fuzz/tests/fuzz"
}

stage format format
stage sanitized sanitized
stage fuzz fuzz
stage tests tests "$build"

echo
printf '%s\n' "${summary[@]}"
for test in $(second_tries "$logs"/*.log); do
  echo "failed at least once: $test"
done
sed -n 's/.* e2e\.java\([0-9]*\)\.missing .*Skipped.*/no JDK \1 was found (set JAVA\1_HOME): no end-to-end tests on it/p' \
  "$logs/tests.log"
if [ $failed = 0 ]; then
  echo "check: all passed in $SECONDS s"
else
  echo "check: FAILED in $SECONDS s; the logs are in $logs"
fi
exit $failed
