#!/usr/bin/env bash
# Measures what recording and replaying cost against the plain program:
#
#   run.sh CANON [--rounds N] [--jdk VERSION] [--scale S] [--results DIR] [PROGRAM...]
#
#   --rounds N      how often each program is run plain, recorded and replayed (5)
#   --jdk VERSION   17 or 25; default: both, 25 where it is found (JAVA25_HOME, /usr/lib/jvm)
#   --scale S       size of the inputs (1: a plain run takes a few seconds)
#   --results DIR   where tables, plots and the raw figures go; default: bench/ beside CANON
#   PROGRAM...      names of ../tests/stress/programs.sh; default: hello and the real programs
#
# README.md tells what is compared with what. Exit status: 0 if every replay was right, 1 if not, 2 wrong usage.
set -u

usage() {
  sed -n '2,12s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../tests/stress/programs.sh disable=SC2154
. "$here/../tests/stress/programs.sh"

versions=() rounds=5 size=1 results=''
[ $# -ge 1 ] || usage
canon=$(realpath -m "$1") && shift
while [ $# -gt 0 ]; do
  case $1 in
    --jdk) versions+=("${2:?}") && shift 2 ;;
    --rounds) rounds=${2:?} && shift 2 ;;
    --scale) size=${2:?} && shift 2 ;;
    --results) results=${2:?} && shift 2 ;;
    -*) usage ;;
    *) break ;;
  esac
done
[ -x "$canon" ] || { echo "run.sh: no canon at $canon" >&2 && exit 2; }
programs=("${@:-hello}")
[ $# -gt 0 ] || programs+=("${PROGRAMS[@]}")
results=$(realpath -m "${results:-$(dirname "$canon")/bench}")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/canon-bench.XXXXXX")
trap 'cd / && rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM HUP
mkdir -p "$results" "$scratch/elsewhere"
runs=$results/runs.tsv traces=$results/traces.tsv faults=0
printf 'program\tjdk\tround\tmode\twall_ms\tcpu_ms\tpeak_kb\tstatus\n' >"$runs"
printf 'program\tjdk\tdisk_bytes\traw_bytes\tevents\n' >"$traces"
cc -O2 -Wall -Wextra -o "$scratch/measure" "$here/measure.c" || exit 1

# measured MODE ROUND DIRECTORY CMD...: one run; prints nothing, its output is MODE.out and MODE.err
measured() {
  local mode=$1 round=$2 directory=$3
  shift 3
  (cd "$directory" && exec env -i "${environment[@]}" \
    "$scratch/measure" "$scratch/line" "$name"$'\t'"$version"$'\t'"$round"$'\t'"$mode" "$@") \
    >"$scratch/$mode.out" 2>"$scratch/$mode.err" </dev/null
}

fault() {
  echo "  $1"
  faults=$((faults + 1))
}

run_plain() { measured plain "$1" "$world" "${command[@]}" || fault "plain run: exit status $?"; }

run_record() {
  rm -rf "$scratch/trace"
  measured record "$1" "$world" "$canon" record -o "$scratch/trace" -- "${command[@]}" ||
    fault "recording: exit status $?: $(grep -m 1 . "$scratch/record.err")"
}

# A replay that is not right is reported and does not count.
run_replay() {
  measured replay "$1" "$scratch/elsewhere" "$canon" replay "$scratch/trace"
  local status=$?
  if [ $status != 0 ] || ! cmp -s "$scratch/record.out" "$scratch/replay.out"; then
    fault "replay of round $1: exit status $status: $(digest "$scratch/replay.err" | cut -c 1-200)"
    rm -f "$scratch/line"
  fi
}

# The order of the three changes from round to round; each round's line is kept unless it is the first, which
# warms up caches and makes the first trace.
run_round() {
  local mode
  case $(($1 % 3)) in
    0) set -- "$1" plain record replay ;;
    1) set -- "$1" record replay plain ;;
    2) set -- "$1" replay plain record ;;
  esac
  for mode in "${@:2}"; do
    rm -f "$scratch/line"
    "run_$mode" "$1"
    if [ "$1" != 0 ] && [ -e "$scratch/line" ]; then cat "$scratch/line" >>"$runs"; fi
  done
}

note_trace() {
  "$canon" info --json "$scratch/trace" | python3 -c '
import json, sys
parts = json.load(sys.stdin)["parts"]
print(*sys.argv[1:], sum(part["raw_bytes"] for part in parts), sum(part["events"] for part in parts), sep="\t")
' "$name" "$version" "$(du -sb "$scratch/trace" | cut -f 1)" >>"$traces"
}

bench() { # NAME JDK JAVA_HOME
  local round count=$rounds
  name=$1 version=$2 world=$scratch/world
  if ! make_world "$name" "$world" "$3" "$size" >"$scratch/missing" 2>&1; then
    fault "$name cannot be run: $(head -n 1 "$scratch/missing")"
    return
  fi
  world_environment "$world" "$3"
  [ "$name" != hello ] || count=$((rounds * 5))
  echo "$name, JDK $version: $count rounds of plain, record, replay"
  for ((round = 0; round <= count; round++)); do
    run_round "$round"
  done
  [ ! -d "$scratch/trace" ] || note_trace
}

main() {
  local version home name
  if [ ${#versions[@]} = 0 ]; then
    versions=(17)
    if find_jdk 25 >/dev/null; then
      versions+=(25)
    else
      echo "no JDK 25 is here (JAVA25_HOME, /usr/lib/jvm): only 17 is measured"
    fi
  fi
  for version in "${versions[@]}"; do
    home=$(find_jdk "$version") || { echo "no JDK $version is here: set JAVA${version}_HOME" >&2 && exit 1; }
    for name in "${programs[@]}"; do
      bench "$name" "$version" "$home"
    done
  done
  python3 "$here/report.py" "$results" || exit 1
  [ $faults = 0 ] && exit 0
  echo "$faults runs were not right, see above"
  exit 1
}

main
