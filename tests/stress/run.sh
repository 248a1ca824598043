#!/usr/bin/env bash
# Records real programs, takes their inputs and jars away and replays each recording many times:
#
#   run.sh CANON [--jdk VERSION] [--replays N] [--scale S] [--results DIR] [PROGRAM...]
#
#   --jdk VERSION   17 or 25; default: both, 25 where it is found (JAVA25_HOME, /usr/lib/jvm)
#   --replays N     how many replays a recording gets (20)
#   --scale S       size of the inputs (0.4); 1 is a run of a few seconds
#   --results DIR   where outputs, reports and the traces of failures go; default: a new directory in $TMPDIR,
#                   which is removed if nothing failed
#   PROGRAM...      names of programs.sh; default: all of them
#
# A replay is right if its stdout, stderr and exit status are the recording's, byte for byte, and if it left
# no file. It runs in another directory, with an empty environment. CANON_STRESS_SECONDS (600) is when a run
# counts as hanging. Exit status: 0 if all replays of all programs were right, 1 if not, 2 wrong usage.
set -u

usage() {
  sed -n '2,17s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=programs.sh disable=SC2154
. "$here/programs.sh"

versions=() replays=20 size=0.4 results='' limit_s=${CANON_STRESS_SECONDS:-600}
[ $# -ge 1 ] || usage
canon=$(realpath -m "$1") && shift
while [ $# -gt 0 ]; do
  case $1 in
    --jdk) versions+=("${2:?}") && shift 2 ;;
    --replays) replays=${2:?} && shift 2 ;;
    --scale) size=${2:?} && shift 2 ;;
    --results) results=$(realpath -m "${2:?}") && shift 2 ;;
    -*) usage ;;
    *) break ;;
  esac
done
[ -x "$canon" ] || { echo "run.sh: no canon at $canon" >&2 && exit 2; }
programs=("${@:-${ALL_PROGRAMS[@]}}")
keep=$results
[ -n "$results" ] || results=$(mktemp -d "${TMPDIR:-/tmp}/canon-stress.XXXXXX")
mkdir -p "$results/elsewhere"
table=$results/table.tsv
: >"$table"

seconds_since() { awk -v from="$1" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.1f", to - from }'; }

# row PROGRAM JDK RECORDED REPLAYS-RIGHT FAILED TEXT
row() { printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$@" >>"$table"; }

# A wrapper script may have said something before it started Java; that is no part of the replay.
same_stderr() {
  case ${1##*/} in
    *.sh.*) tail -c "$(stat -c %s "$2")" "$1" | cmp -s - "$2" ;;
    *) cmp -s "$1" "$2" ;;
  esac
}

# Why a replay is not right; nothing if it is.
fault() {
  local recorded=$1 replayed=$2 status=$3
  if [ "$status" = 124 ] || [ "$status" = 137 ]; then
    echo "hung, ended after $limit_s s"
  elif [ "$status" != "$(cat "$recorded.status")" ]; then
    echo "exit status $status: $(digest "$replayed.err" | cut -c 1-200)"
  elif ! cmp -s "$recorded.out" "$replayed.out"; then
    echo "other stdout"
  elif ! same_stderr "$recorded.err" "$replayed.err"; then
    echo "other stderr: $(diff -a "$recorded.err" "$replayed.err" | sed -n 2p | cut -c 1-100)"
  elif [ -n "$(find "$results/elsewhere" -mindepth 1 -print -quit)" ]; then
    echo "left files: $(find "$results/elsewhere" -mindepth 1 -printf '%P ' | cut -c 1-160)"
  fi
}

replay_all() { # NAME JDK BASE TRACE
  local right=0 failed=0 first='' round why status from=$EPOCHREALTIME
  mkdir "$3.left"
  for ((round = 1; round <= replays; round++)); do
    (cd "$results/elsewhere" && exec env -i PATH=/usr/bin:/bin HOME=/nonexistent TZ=Pacific/Chatham \
      timeout -k 5 "$limit_s" "$canon" replay "$4") >"$3.replay.out" 2>"$3.replay.err" </dev/null
    status=$?
    why=$(fault "$3.record" "$3.replay" "$status")
    if [ -z "$why" ]; then
      right=$((right + 1))
      continue
    fi
    failed=$((failed + 1))
    find "$results/elsewhere" -mindepth 1 -maxdepth 1 -exec mv -t "$3.left" {} +
    if [ -z "$first" ]; then
      first=$why
      cp "$3.replay.out" "$3.failed.out"
      cp "$3.replay.err" "$3.failed.err"
    fi
  done
  row "$1" "$2" "status $(cat "$3.record.status")" "$right" "$failed" "$first"
  echo "  $right of $replays replays right, $(seconds_since "$from") s${first:+; first fault: $first}"
}

stress() { # NAME JDK JAVA_HOME
  local base=$results/$1.$2 status from missing
  local world=$base.world trace=$base.trace
  rm -rf "$base".*
  if ! make_world "$1" "$world" "$3" "$size" >"$base.missing" 2>&1; then
    missing=$(head -n 1 "$base.missing")
    echo "$1, JDK $2: cannot be run: $missing"
    row "$1" "$2" "cannot be run" 0 0 "$missing"
    return
  fi
  rm -f "$base.missing"
  world_environment "$world" "$3"
  from=$EPOCHREALTIME
  (cd "$world" && exec env -i "${environment[@]}" timeout -k 5 "$limit_s" "$canon" record -o "$trace" -- \
    "${command[@]}") >"$base.record.out" 2>"$base.record.err" </dev/null
  status=$?
  echo $status >"$base.record.status"
  echo "$1, JDK $2: recorded in $(seconds_since "$from") s, exit status $status, $(du -sk "$trace" | cut -f 1) kB"
  rm -rf "$world"
  if [ $status != 0 ]; then
    row "$1" "$2" "status $status" 0 0 "$(grep -m 1 . "$base.record.err" | cut -c 1-160)"
    return
  fi
  replay_all "$1" "$2" "$base" "$trace"
  [ -e "$base.failed.err" ] || rm -rf "$base".*
}

main() {
  local version home name status
  if [ ${#versions[@]} = 0 ]; then
    versions=(17)
    if find_jdk 25 >/dev/null; then
      versions+=(25)
    else
      echo "no JDK 25 is here (JAVA25_HOME, /usr/lib/jvm): only 17 is shown"
    fi
  fi
  for version in "${versions[@]}"; do
    home=$(find_jdk "$version") || { echo "no JDK $version is here: set JAVA${version}_HOME" >&2 && exit 1; }
    for name in "${programs[@]}"; do
      stress "$name" "$version" "$home"
    done
  done

  echo
  {
    printf 'program\tJDK\trecorded\tright\tfailed\tfirst fault\n'
    cat "$table"
  } | awk -F '\t' '{ printf "%-11s %3s  %-13s %5s %6s  %s\n", $1, $2, $3, $4, $5, $6 }'
  awk -F '\t' -v wanted="$replays" '$4 != wanted { bad++ } END {
    printf "\n%d of %d recordings replayed %d of %d times\n", NR - bad, NR, wanted, wanted; exit bad > 0 }' "$table"
  status=$?
  if [ $status = 0 ] && [ -z "$keep" ]; then
    rm -rf "$results"
  else
    echo "results: $results"
  fi
  exit $status
}

main
