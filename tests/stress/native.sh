#!/usr/bin/env bash
# Records real native programs, takes their inputs away and replays each recording:
#
#   native.sh CANON [--recordings N] [--scale S] [--results DIR] [PROGRAM...]
#
#   --recordings N  how often a program is recorded (20)
#   --scale S       size of the inputs (0.5); 1 is a run of a few seconds
#   --results DIR   where outputs, reports and the traces of failures go; default: a new directory in $TMPDIR,
#                   which is removed if nothing failed
#   PROGRAM...      names of native_programs.sh; default: all twelve, and two of them in another way
#
# A recording is replayed twice, in another, empty directory, with an empty environment and, where the system permits
# that, without any network: stdout, stderr and the exit status have to be those of the recording, byte for byte, no
# file may appear, and `canon replay --check` has to find nothing. Servers are asked by a client that is not recorded, a fixed number of
# times. CANON_STRESS_SECONDS (120) is when a run counts as hanging. Exit status: 0 if all were right, 1 if not, 2 wrong
# usage.
set -u

usage() {
  sed -n '2,18s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=programs.sh disable=SC2154
. "$here/programs.sh" # for digest
# shellcheck source=results.sh disable=SC2154
. "$here/results.sh"
# shellcheck source=native_programs.sh disable=SC2154
. "$here/native_programs.sh"

recordings=20 size=0.5 results='' limit_s=${CANON_STRESS_SECONDS:-120}
[ $# -ge 1 ] || usage
canon=$(realpath -m "$1") && shift
while [ $# -gt 0 ]; do
  case $1 in
    --recordings) recordings=${2:?} && shift 2 ;;
    --scale) size=${2:?} && shift 2 ;;
    --results) results=$(realpath -m "${2:?}") && shift 2 ;;
    -*) usage ;;
    *) break ;;
  esac
done
[ -x "$canon" ] || { echo "native.sh: no canon at $canon" >&2 && exit 2; }
[ $# -gt 0 ] || set -- "${NATIVES[@]}" sqlite-journal ffmpeg-file
open_results "$results"
ulimit -c 0
trap end_server EXIT
trap 'exit 1' INT TERM HUP

find_offline

# One recording; leaves in $why why it is not right, or nothing.
record_one() { # BASE TRACE
  local status
  why=
  (cd "$world" && exec env -i "${NATIVE_ENVIRONMENT[@]}" timeout -k 5 "$limit_s" "$canon" record "${order[@]}" -o "$2" -- \
    "${command[@]}") >"$1.record.out" 2>"$1.record.err" </dev/null &
  with_load $! "$1.client.out"
  status=$?
  echo $status >"$1.record.status"
  if [ $status != 0 ]; then
    why="recording: exit status $status: $(grep -m 1 . "$1.record.err" | cut -c 1-160)"
  elif [ ${#client[@]} != 0 ] && [ "$(cat "$1.client.out.status")" != 0 ]; then
    why="the client failed: $(tail -n 1 "$1.client.out")"
  else
    why=$("$canon" info "$2" 2>&1 | grep -m 1 -iE 'recording stopped|was cut off')
  fi
}

# Why a replay is not right; nothing if it is.
replay_one() { # BASE TRACE
  local status
  (cd "$results/elsewhere" && exec env -i PATH=/usr/bin:/bin TZ=Pacific/Chatham \
    timeout -k 5 "$limit_s" "${offline[@]}" "$canon" replay "$2") >"$1.replay.out" 2>"$1.replay.err.all" </dev/null
  status=$?
  grep -av '^canon: note: ' "$1.replay.err.all" >"$1.replay.err"
  if [ $status = 124 ] || [ $status = 137 ]; then
    echo "hung, ended after $limit_s s"
  elif [ $status != "$(cat "$1.record.status")" ]; then
    echo "exit status $status: $(digest "$1.replay.err" | cut -c 1-200)"
  elif ! cmp -s "$1.record.out" "$1.replay.out"; then
    echo "other stdout"
  elif ! cmp -s "$1.record.err" "$1.replay.err"; then
    echo "other stderr: $(diff -a "$1.record.err" "$1.replay.err" | sed -n 2p | cut -c 1-100)"
  elif [ -n "$(find "$results/elsewhere" -mindepth 1 -print -quit)" ]; then
    echo "left files: $(find "$results/elsewhere" -mindepth 1 -printf '%P ' | cut -c 1-160)"
  elif ! (cd "$results/elsewhere" && exec env -i PATH=/usr/bin:/bin timeout -k 5 "$limit_s" "$canon" replay --check "$2") \
    >"$1.check" 2>&1 </dev/null || ! grep -q '^canon: the replay equals the recording' "$1.check"; then
    echo "--check: $(digest "$1.check" | cut -c 1-200)"
  fi
}

stress() { # NAME
  local base=$results/$1 trace=$results/$1.trace from=$EPOCHREALTIME right=0 number first='' why
  for ((number = 1; number <= recordings; number++)); do
    rm -rf "$trace"
    if ! native_world "$1" "$results/world" "$results/inputs" "$size" >"$base.missing" 2>&1; then
      first="cannot be run: $(head -n 1 "$base.missing")"
      break
    fi
    record_one "$base" "$trace"
    rm -rf "$results/world"
    [ -n "$why" ] || why=$(replay_one "$base" "$trace")
    if [ -z "$why" ]; then
      right=$((right + 1))
      continue
    fi
    echo "$1, recording $number: $why"
    mkdir -p "$base.failed.$number" && cp -r "$base".*.* "$trace" "$base.failed.$number" 2>/dev/null
    first=${first:-$why}
    find "$results/elsewhere" -mindepth 1 -delete
  done
  printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$(order_name)" "$right" "$recordings" "$first" >>"$table"
  echo "$1: $right of $recordings right, $(seconds_since "$from") s, the last trace has $(du -sk "$trace" | cut -f 1) kB"
  rm -rf "$trace"
}

for name; do
  stress "$name"
done
close_results order recordings
