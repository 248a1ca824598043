#!/usr/bin/env bash
# Kills recordings with SIGKILL at random moments and checks what is left of them:
#
#   kill9.sh CANON [N] [--jdk VERSION] [--seed S] [--longest MS] [--results DIR]
#
#   N               how many recordings (100)
#   --jdk VERSION   17 (default) or 25
#   --seed S        of the random moments; printed, so that a run can be repeated
#   --longest MS    the latest moment, counted from the start of the JVM (2000)
#   --results DIR   where traces of failures go; default: a new directory in $TMPDIR, removed if nothing failed
#
# In one half of the rounds the JVM alone is killed, which canon sees and notes; in the other half canon is
# killed first. Every trace has to pass `canon verify` and `canon info`, and to replay to its end: what was
# recorded of stdout, less one line at most, then "the recording ended here" and exit status 137 (canon saw
# how the program ended) or 71 (it did not).
set -u

usage() {
  sed -n '2,15s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=programs.sh disable=SC2154
. "$here/programs.sh"

rounds=100 version=17 seed=$RANDOM longest_ms=2000 results=''
[ $# -ge 1 ] || usage
canon=$(realpath -m "$1") && shift
if [[ ${1-} =~ ^[0-9]+$ ]]; then rounds=$1 && shift; fi
while [ $# -gt 0 ]; do
  case $1 in
    --jdk) version=${2:?} && shift 2 ;;
    --seed) seed=${2:?} && shift 2 ;;
    --longest) longest_ms=${2:?} && shift 2 ;;
    --results) results=$(realpath -m "${2:?}") && shift 2 ;;
    *) usage ;;
  esac
done
[ -x "$canon" ] || { echo "kill9.sh: no canon at $canon" >&2 && exit 2; }
home=$(find_jdk "$version") || { echo "no JDK $version is here: set JAVA${version}_HOME" >&2 && exit 1; }
keep=$results
[ -n "$results" ] || results=$(mktemp -d "${TMPDIR:-/tmp}/canon-kill9.XXXXXX")
mkdir -p "$results"
RANDOM=$seed

recorder='' program=''
end_ours() {
  [ -z "$recorder" ] || kill -KILL "$recorder" 2>/dev/null
  [ -z "$program" ] || kill -KILL "$program" 2>/dev/null
}
trap end_ours EXIT
trap 'exit 1' INT TERM HUP

# Half of the moments are in the first quarter of the time, where the JVM starts.
moment_ms() {
  local span=$longest_ms
  if ((RANDOM % 2)); then span=$((longest_ms / 4)); fi
  ms=$((RANDOM % span))
}

make_world hello "$results/world" "$home" 1 || exit 1
cd "$results/world" || exit 1
driver Endless.java || exit 1
inputs text in/letters.txt 0.1

# record_and_kill WAY: leaves trace, recorded, and the recorder's exit status in $status
record_and_kill() {
  rm -rf pid trace
  # shellcheck disable=SC2016
  env -i "PATH=/usr/bin:/bin" "$canon" record -o trace -- \
    sh -c 'echo $$ >pid.new && mv pid.new pid && exec "$@"' sh "$home/bin/java" -Xmx256m -cp classes Endless in/letters.txt \
    >recorded 2>recorder.err </dev/null &
  recorder=$!
  until [ -e pid ]; do
    kill -0 "$recorder" 2>/dev/null || break
    sleep 0.002
  done
  program=$(cat pid)
  sleep "$(printf '%d.%03d' $((ms / 1000)) $((ms % 1000)))"
  [ "$1" = program ] || kill -KILL "$recorder"
  kill -KILL "$program"
  { wait "$recorder"; } 2>/dev/null
  status=$?
  while kill -0 "$program" 2>/dev/null; do sleep 0.01; done
  recorder='' program=''
}

# What is wrong with the trace; nothing if all is well.
fault() {
  local expected=$1 said
  if ! said=$("$canon" verify trace 2>&1); then
    echo "verify: $said" && return
  fi
  if ! "$canon" info trace >info.out 2>&1 || ! "$canon" info --json trace 2>&1 | python3 -m json.tool >info.json; then
    echo "info: $(grep -m 1 '^canon:' info.out)" && return
  fi
  (cd "$results" && exec env -i PATH=/usr/bin:/bin timeout -k 5 60 "$canon" replay world/trace) \
    >replayed 2>replay.err </dev/null
  status=$?
  if [ $status != "$expected" ]; then
    echo "replay: exit status $status, not $expected: $(head -n 1 replay.err)"
  elif ! grep -q '^canon: the recording ended here' replay.err; then
    echo "replay does not say that the recording ended: $(head -n 1 replay.err)"
  elif ! head -c "$(stat -c %s replayed)" recorded | cmp -s - replayed; then
    echo "replay: stdout is not a beginning of what was recorded"
  elif [ "$(tail -c +$(($(stat -c %s replayed) + 1)) recorded | wc -l)" -gt 1 ]; then
    echo "replay: $(wc -l <replayed) lines of $(wc -l <recorded)"
  fi
}

# Killed before there was a JVM: nothing was recorded, and canon says so.
nothing_recorded() {
  [ ! -e trace/1 ] || return 1
  "$canon" replay trace >replayed 2>replay.err
  [ $? = 69 ] && [ ! -s replayed ] && [ -s replay.err ]
}

failed=0 too_early=0 lines=0
echo "JDK $version, seed $seed, $rounds recordings:"
for ((round = 1; round <= rounds; round++)); do
  moment_ms
  way=program expected=137
  if ((round % 2 == 0)); then way='program and canon' expected=71; fi
  record_and_kill "$way"
  if nothing_recorded; then
    too_early=$((too_early + 1))
    continue
  fi
  why=$([ $status = 137 ] && fault $expected || echo "record: exit status $status: $(head -n 1 recorder.err)")
  lines=$((lines + $(wc -l <recorded)))
  [ -n "$why" ] || continue
  failed=$((failed + 1))
  echo "  round $round, $way killed after $ms ms: $why"
  mkdir -p "$results/failed.$round"
  mv trace recorded replay* info* recorder.err "$results/failed.$round/" 2>/dev/null
done
cd /
rm -rf "$results/world"

echo "$((rounds - failed)) of $rounds traces are right ($too_early killed before the JVM started; $lines lines recorded in all)"
if [ $failed = 0 ] && [ -z "$keep" ]; then
  rm -rf "$results"
else
  echo "results: $results"
fi
[ $failed = 0 ]
