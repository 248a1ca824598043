#!/usr/bin/env bash
# The digest of the heap at the end:
#
#   heap.sh CANON JAVA_HOME WORKDIR
#
# Programs of java/heap/ are recorded with --heap-digest under each collector, and replayed twice each: the digest
# is the recorded one. Of one with a data race that its output does not show, it has to be another one, and
# the class is named: so it can fail. Exit status: 0 passed, 1 failed.
set -u
canon=$(realpath "$1")
java=$2/bin
work=$(realpath -m "$3")
here=$(cd "$(dirname "$0")" && pwd)
. "$here/run_checked.sh"

# record NAME OPTION... -- JVM-OPTION...
record() {
  local name=$1 options=()
  shift
  while [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  shift
  rm -rf "$work/trace"
  run "$canon" record -o "$work/trace" "${options[@]}" -- "$java/java" "$@" -cp "$work/classes" "$name"
  [ "$status" = 0 ] || fail "recording $name $*: status $status"
  [ ! -s "$work/err" ] || fail "recording $name $*: something on standard error"
}

digest_of() { sed -n 's/.*heap at the end: digest \([0-9a-f]*\),.*/\1/p'; }

# replays NAME COUNT: that many are equal, and so are their heaps
replays() {
  local recorded round
  recorded=$("$canon" info "$work/trace" | digest_of)
  [ -n "$recorded" ] || fail "$1: the trace has no digest"
  for ((round = 1; round <= $2; round++)); do
    run "$canon" verify --heap "$work/trace"
    [ "$status" = 0 ] || fail "$1: replay $round of $2: status $status"
    grep -q "the heap at the end of a replay is the recorded one: .* digest $recorded\$" "$work/out" ||
      fail "$1: replay $round of $2: the digest is not told"
  done
}

rm -rf "$work"
mkdir -p "$work"
run "$java/javac" -d "$work/classes" "$here"/java/heap/*.java
[ "$status" = 0 ] || fail "the programs do not compile"

before=
for collector in Serial Parallel G1; do
  record HeapAlone --heap-digest -- "-XX:+Use${collector}GC"
  now=$("$canon" info "$work/trace" | digest_of)
  [ "$now" != "$before" ] || fail "two runs with different random numbers have the same digest"
  before=$now
  replays "HeapAlone, $collector" 2
  record HeapThreads --heap-digest --order=edges -- "-XX:+Use${collector}GC"
  replays "HeapThreads, $collector" 2
done

# A plain replay compares, too, and shows the program's output.
run "$canon" replay "$work/trace"
[ "$status" = 0 ] && [ "$(cat "$work/out")" = done ] || fail "a plain replay: status $status"

# The race: ten recordings would have to come out equal by chance for this to pass as equal.
for round in 1 2 3 4 5 6 7 8 9 10; do
  record HeapRace --heap-digest --order=edges --
  run "$canon" verify --heap "$work/trace"
  [ "$status" != 70 ] || break
done
[ "$status" = 70 ] || fail "a data race was not found in $round recordings: status $status"
grep -q 'DIVERGENCE: the program ended as recorded, but with another heap' "$work/err" || fail "the report"
grep -q '^    HeapRace$Counter: 4, with other contents$' "$work/err" || fail "the class is not named"
! grep -q 'Innocent' "$work/err" || fail "a class is named that does not differ"

record HeapAlone --
run "$canon" verify --heap "$work/trace"
[ "$status" = 69 ] && grep -q 'has no digest of the heap' "$work/err" || fail "without a digest: status $status"

cd / && rm -rf "$work"
