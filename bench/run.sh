#!/usr/bin/env bash
# Measures what recording and replaying cost against the plain program:
#
#   run.sh CANON [--rounds N] [--jdk VERSION] [--scale S] [--results DIR] [PROGRAM...]
#
#   --rounds N      how often each program is run plain, recorded and replayed (5)
#   --jdk VERSION   17 or 25; default: both, 25 where it is found (JAVA25_HOME, /usr/lib/jvm)
#   --scale S       size of the inputs (1: a plain run takes a few seconds)
#   --results DIR   where tables, plots and the raw figures go; default: bench/ beside CANON
#   PROGRAM...      names of ../tests/stress/programs.sh; `threads` for all that have threads, `growth` for the same
#                   work with 1 to 64 threads; default: hello and the real programs with one thread
#
# README.md tells what is compared with what. Exit status: 0 if every replay was right, 1 if not, 2 wrong usage.
set -u

usage() {
  sed -n '2,13s/^# \{0,1\}//p' "$0" >&2
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
[ $# -gt 0 ] || set -- hello "${PROGRAMS[@]}"
programs=()
for name; do
  case $name in
    threads) programs+=("${THREADED[@]}") ;;
    growth) programs+=("${GROWTH[@]}") ;;
    *) programs+=("$name") ;;
  esac
done
results=$(realpath -m "${results:-$(dirname "$canon")/bench}")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/canon-bench.XXXXXX")
trap 'end_background; cd / && rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM HUP
mkdir -p "$results" "$scratch/elsewhere"
runs=$results/runs.tsv traces=$results/traces.tsv faults=0 limit_s=${CANON_STRESS_SECONDS:-600}
printf 'program\tjdk\tround\tmode\twall_ms\tcpu_ms\tpeak_kb\tstatus\n' >"$runs"
printf 'program\tjdk\tengine\tdisk_bytes\traw_bytes\tevents\toperations\tedges\tlog_bytes\tmemory_bytes\n' >"$traces"
cc -O2 -Wall -Wextra -o "$scratch/measure" "$here/measure.c" || exit 1

# measured MODE ROUND DIRECTORY CMD...: one run; prints nothing, its output is MODE.out and MODE.err
measured() {
  local mode=$1 round=$2 directory=$3
  [[ $mode != *replay ]] || local client=()
  shift 3
  rm -f "$scratch/$mode.out" # the last one tells of another port
  (cd "$directory" && exec env -i "${environment[@]}" timeout -k 5 "$limit_s" \
    "$scratch/measure" "$scratch/line" "$name"$'\t'"$version"$'\t'"$round"$'\t'"$mode" "$@") \
    >"$scratch/$mode.out" 2>"$scratch/$mode.err" </dev/null &
  with_client $! "$scratch/$mode.out" "$world"
}

fault() {
  echo "  $1"
  faults=$((faults + 1))
}

run_plain() { measured plain "$1" "$world" "${command[@]}" || fault "plain run: exit status $?"; }

# record MODE ROUND ORDER...: the trace is that of the mode
record() {
  local mode=$1 round=$2
  shift 2
  rm -rf "$scratch/$mode.trace"
  measured "$mode" "$round" "$world" "$canon" record "$@" -o "$scratch/$mode.trace" -- "${command[@]}" ||
    fault "recording ($mode): exit status $?: $(grep -m 1 . "$scratch/$mode.err")"
}

# replay MODE ROUND OF: a replay that is not right is reported and does not count.
replay() {
  measured "$1" "$2" "$scratch/elsewhere" "$canon" replay "$scratch/$3.trace"
  local status=$?
  if [ $status != 0 ] || ! cmp -s "$scratch/$3.out" "$scratch/$1.out"; then
    fault "$1 of round $2: exit status $status: $(digest "$scratch/$1.err" | cut -c 1-200)"
    rm -f "$scratch/line"
  fi
}

run_record() { record record "$1" "${order[@]}"; }
run_replay() { replay replay "$1" record; }
run_vector() { record vector "$1" "${order[@]/%=edges/=vector}"; }
run_vector-replay() { replay vector-replay "$1" vector; }
run_monitors() { record monitors "$1" "${order[@]/%=edges/=vector-monitors}"; }

# The ways begin with another one from round to round; each round's line is kept unless it is the first, which
# warms up caches and makes the first traces.
run_round() {
  local i mode
  for ((i = 0; i < ${#modes[@]}; i++)); do
    mode=${modes[($1 + i) % ${#modes[@]}]}
    rm -f "$scratch/line"
    "run_$mode" "$1"
    if [ "$1" != 0 ] && [ -e "$scratch/line" ]; then cat "$scratch/line" >>"$runs"; fi
  done
}

note_trace() { # ENGINE
  [ -d "$scratch/$1.trace" ] || return 0
  "$canon" info --json "$scratch/$1.trace" | python3 -c '
import json, sys
parts = json.load(sys.stdin)["parts"]
orders = [part["order"] for part in parts if part["order"]]
print(*sys.argv[1:], *(sum(part[what] for part in parts) for what in ("raw_bytes", "events")),
      *(sum(order[what] for order in orders) for what in ("operations", "edges", "log_bytes", "memory_bytes")), sep="\t")
' "$name" "$version" "$1" "$(du -sb "$scratch/$1.trace" | cut -f 1)" >>"$traces"
}

# How a program is run: one with threads also with the engine to compare with; README.md.
choose_modes() {
  modes=(plain record replay)
  [ ${#order[@]} = 0 ] || modes+=(vector monitors)
  [[ $name != growth* ]] || modes=(plain record replay vector vector-replay)
}

bench() { # NAME JDK JAVA_HOME
  local round engine count=$rounds
  name=$1 version=$2 world=$scratch/world
  if ! make_world "$name" "$world" "$3" "$size" >"$scratch/missing" 2>&1; then
    fault "$name cannot be run: $(head -n 1 "$scratch/missing")"
    return
  fi
  world_environment "$world" "$3"
  choose_modes
  [ "$name" != hello ] || count=$((rounds * 5))
  echo "$name, JDK $version: $count rounds of ${modes[*]}"
  for ((round = 0; round <= count; round++)); do
    run_round "$round"
  done
  for engine in record vector monitors; do
    note_trace $engine
  done
  rm -rf "$scratch"/*.trace
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
