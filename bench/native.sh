#!/usr/bin/env bash
# Measures what recording and replaying native programs cost against the plain program:
#
#   native.sh CANON [--rounds N] [--scale S] [--results DIR] [PROGRAM...]
#
#   --rounds N      how often each program is run plain, recorded and replayed (5)
#   --scale S       size of the inputs (1: a plain run takes one to three seconds)
#   --results DIR   where the table and the raw figures go; default: bench-native/ beside CANON
#   PROGRAM...      names of ../tests/stress/native_programs.sh, or `locks`; default: all twelve, and locks
#
# README.md tells what is compared with what. Exit status: 0 if every replay was right, 1 if not, 2 wrong usage.
set -u

usage() {
  sed -n '2,11s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../tests/stress/native_programs.sh disable=SC2154
. "$here/../tests/stress/native_programs.sh"

rounds=5 size=1 results=''
[ $# -ge 1 ] || usage
canon=$(realpath -m "$1") && shift
while [ $# -gt 0 ]; do
  case $1 in
    --rounds) rounds=${2:?} && shift 2 ;;
    --scale) size=${2:?} && shift 2 ;;
    --results) results=${2:?} && shift 2 ;;
    -*) usage ;;
    *) break ;;
  esac
done
[ -x "$canon" ] || { echo "native.sh: no canon at $canon" >&2 && exit 2; }
[ $# -gt 0 ] || set -- "${NATIVES[@]}" locks
results=$(realpath -m "${results:-$(dirname "$canon")/bench-native}")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/canon-bench.XXXXXX")
trap 'end_server; cd / && rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM HUP
mkdir -p "$results" "$scratch/elsewhere" && chmod 755 "$scratch"
runs=$results/runs.tsv traces=$results/traces.tsv faults=0
printf 'program\torder\tround\tmode\twall_ms\tcpu_ms\tpeak_kb\tstatus\tclient_ms\n' >"$runs"
printf 'program\tdisk_bytes\traw_bytes\tevents\toperations\n' >"$traces"
cc -O2 -Wall -Wextra -o "$scratch/measure" "$here/measure.c" || exit 1

# Threads with many small locks, as in fluidanimate of PARSEC.
native_locks() {
  [ -x "$inputs/locks" ] || cc -std=gnu17 -O2 -pthread -o "$inputs/locks" "$here/locks.c" || return
  command=("$inputs/locks" 2 "$(scaled 40)")
}

fault() {
  echo "  $name, round $round: $1"
  faults=$((faults + 1))
}

# measured MODE DIRECTORY CMD...: one run; its output is MODE.out and MODE.err, its line is in `line`
measured() {
  local mode=$1 directory=$2 status
  shift 2
  [ "$mode" != replay ] || local client=()
  rm -f "$scratch/line" "$scratch/client.ms"
  (cd "$directory" && exec env -i "${NATIVE_ENVIRONMENT[@]}" timeout -k 5 "${CANON_STRESS_SECONDS:-120}" \
    "$scratch/measure" "$scratch/line" "$name"$'\t'"$(order_name)"$'\t'"$round"$'\t'"$mode" "$@") \
    >"$scratch/$mode.out" 2>"$scratch/$mode.err" </dev/null &
  with_load $! "$scratch/client"
  status=$?
  if [ ${#client[@]} != 0 ] && [ "$(cat "$scratch/client.status")" != 0 ]; then
    fault "the client failed: $(tail -n 1 "$scratch/client")"
  fi
  return $status
}

# A new world each time: what the last run has left would be found.
fresh() { native_world "$name" "$scratch/world" "$scratch/inputs" "$size" >"$scratch/missing" 2>&1; }

run_plain() {
  fresh && measured plain "$world" "${command[@]}" || fault "plain run: exit status $?"
}

run_record() {
  rm -rf "$scratch/trace"
  fresh && measured record "$world" "$canon" record "${order[@]}" -o "$scratch/trace" -- "${command[@]}" ||
    fault "recording: exit status $?: $(grep -m 1 . "$scratch/record.err")"
  rm -rf "$world"
}

# One that is not right is reported and does not count.
run_replay() {
  measured replay "$scratch/elsewhere" "$canon" replay "$scratch/trace"
  local status=$?
  if [ $status != 0 ] || ! cmp -s "$scratch/record.out" "$scratch/replay.out"; then
    fault "replay: exit status $status: $(grep -m 1 . "$scratch/replay.err")"
    rm -f "$scratch/line"
  fi
}

# The ways begin with another one from round to round; the first round warms up caches and does not count.
run_round() {
  local i mode modes=(plain record replay)
  for ((i = 0; i < 3; i++)); do
    mode=${modes[(round + i) % 3]}
    "run_$mode"
    if [ "$round" != 0 ] && [ -e "$scratch/line" ]; then
      echo "$(cat "$scratch/line")"$'\t'"$(cat "$scratch/client.ms" 2>/dev/null)" >>"$runs"
    fi
  done
}

note_trace() {
  [ -d "$scratch/trace" ] || return 0
  "$canon" info --json "$scratch/trace" | /usr/bin/python3 -c '
import json, sys
parts = json.load(sys.stdin)["parts"]
print(*sys.argv[1:], *(sum(part[what] for part in parts) for what in ("raw_bytes", "events")),
      sum(part["order"]["operations"] for part in parts if part["order"]), sep="\t")
' "$name" "$(du -sb "$scratch/trace" | cut -f 1)" >>"$traces"
}

for name; do
  round=0
  if ! fresh; then
    fault "cannot be run: $(head -n 1 "$scratch/missing")"
    continue
  fi
  echo "$name: $rounds rounds"
  for ((; round <= rounds; round++)); do
    run_round
  done
  note_trace
done
echo
/usr/bin/python3 "$here/native_report.py" "$results" | tee "$results/results.md"
[ $faults = 0 ] && exit 0
echo "$faults runs were not right, see above"
exit 1
