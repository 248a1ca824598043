#!/usr/bin/env bash
# Records real programs, takes their inputs and jars away and replays each recording many times:
#
#   run.sh CANON [--jdk VERSION] [--replays N] [--recordings N] [--scale S] [--results DIR] [PROGRAM...]
#
#   --jdk VERSION   17 or 25; default: both, 25 where it is found (JAVA25_HOME, /usr/lib/jvm)
#   --replays N     how many replays a recording gets (20; 1 with --recordings)
#   --recordings N  how often a program is recorded (1)
#   --scale S       size of the inputs (0.4); 1 is a run of a few seconds
#   --results DIR   where outputs, reports and the traces of failures go; default: a new directory in $TMPDIR,
#                   which is removed if nothing failed
#   PROGRAM...      names of programs.sh, `threads` for all that have threads; default: all of them
#
# A replay is right if its stdout, stderr and exit status are the recording's, byte for byte, and if it left
# no file. It runs in another directory, with an empty environment and, where the system permits that, without any
# network. While a program is recorded its JVM must not find locks that do not match (-Xlog:monitormismatch).
# CANON_STRESS_SECONDS (600) is when a run counts as hanging. Exit status: 0 if all replays of all programs were
# right, 1 if not, 2 wrong usage.
set -u

usage() {
  sed -n '2,20s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=programs.sh disable=SC2154
. "$here/programs.sh"
# shellcheck source=results.sh disable=SC2154
. "$here/results.sh"

versions=() replays='' recordings=1 size=0.4 results='' limit_s=${CANON_STRESS_SECONDS:-600}
[ $# -ge 1 ] || usage
canon=$(realpath -m "$1") && shift
while [ $# -gt 0 ]; do
  case $1 in
    --jdk) versions+=("${2:?}") && shift 2 ;;
    --replays) replays=${2:?} && shift 2 ;;
    --recordings) recordings=${2:?} && shift 2 ;;
    --scale) size=${2:?} && shift 2 ;;
    --results) results=$(realpath -m "${2:?}") && shift 2 ;;
    -*) usage ;;
    *) break ;;
  esac
done
[ -x "$canon" ] || { echo "run.sh: no canon at $canon" >&2 && exit 2; }
[ -n "$replays" ] || replays=$([ "$recordings" = 1 ] && echo 20 || echo 1)
programs=()
for name in "${@:-${ALL_PROGRAMS[@]}}"; do
  if [ "$name" = threads ]; then programs+=("${THREADED[@]}"); else programs+=("$name"); fi
done
open_results "$results"

trap end_background EXIT
trap 'exit 1' INT TERM HUP

# row PROGRAM JDK RIGHT WANTED FAULT
row() { printf '%s\t%s\t%s\t%s\t%s\n' "$@" >>"$table"; }

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

# Replays a recording; leaves how many were right in $right, and the first fault in $first.
replay_all() { # BASE TRACE
  local round why
  mkdir -p "$1.left"
  for ((round = 1; round <= replays; round++)); do
    (cd "$results/elsewhere" && exec env -i PATH=/usr/bin:/bin HOME=/nonexistent TZ=Pacific/Chatham \
      timeout -k 5 "$limit_s" "${offline[@]}" "$canon" replay "$2") >"$1.replay.out" 2>"$1.replay.err" </dev/null
    why=$(fault "$1.record" "$1.replay" $?)
    if [ -z "$why" ]; then
      right=$((right + 1))
      continue
    fi
    find "$results/elsewhere" -mindepth 1 -maxdepth 1 -exec mv -t "$1.left" {} +
    if [ -z "$first" ]; then
      first=$why
      cp "$1.replay.out" "$1.failed.out"
      cp "$1.replay.err" "$1.failed.err"
      cp -r "$2" "$1.failed.trace"
    fi
  done
}

# One recording, with its world taken away; leaves in $first why it is not right, if so. Returns its exit status.
record_one() { # BASE TRACE
  local world=$1.world status why=
  rm -rf "$world" "$2" "$1.record.out" # the last one tells of another port
  cp -a "$1.made" "$world"
  (cd "$world" && exec env -i "${environment[@]}" timeout -k 5 "$limit_s" "$canon" record "${order[@]}" -o "$2" -- \
    "${command[@]}") >"$1.record.out" 2>"$1.record.err" </dev/null &
  with_client $! "$1.record.out" "$world"
  status=$?
  echo $status >"$1.record.status"
  if [ $status != 0 ]; then
    why="recording: exit status $status: $(grep -m 1 . "$1.record.err" | cut -c 1-160)"
  elif [ -s "$world/mismatch.log" ]; then
    why="recording: $(head -n 1 "$world/mismatch.log")"
  fi
  first=${first:-$why}
  rm -rf "$world"
  return $status
}

stress() { # NAME JDK JAVA_HOME
  local base=$results/$1.$2 trace=$results/$1.$2.trace from=$EPOCHREALTIME right=0 first='' number
  rm -rf "$base".*
  if ! make_world "$1" "$base.made" "$3" "$size" >"$base.missing" 2>&1; then
    first=$(head -n 1 "$base.missing")
    echo "$1, JDK $2: cannot be run: $first"
    row "$1" "$2" 0 0 "cannot be run: $first"
    return
  fi
  rm -f "$base.missing"
  world_environment "$base.world" "$3"
  # To a file, so that the replay does without it.
  [ "${command[0]}" != "$3/bin/java" ] ||
    command=("${command[0]}" -Xlog:monitormismatch=info:file=mismatch.log "${command[@]:1}")
  for ((number = 1; number <= recordings; number++)); do
    if record_one "$base" "$trace"; then replay_all "$base" "$trace"; fi
  done
  row "$1" "$2" "$right" $((recordings * replays)) "$first"
  echo "$1, JDK $2: $right of $((recordings * replays)) replays right, $(seconds_since "$from") s," \
    "the last trace has $(du -sk "$trace" | cut -f 1) kB${first:+; first fault: $first}"
  [ -n "$first" ] || rm -rf "$base".*
}

main() {
  local version home name
  find_offline
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

  close_results JDK replays
}

main
