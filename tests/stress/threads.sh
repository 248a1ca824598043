#!/usr/bin/env bash
# Proves the programs of tests/e2e/threads.txt and races.txt, and replays each of them many times:
#
#   threads.sh CANON [REPLAYS] [--recordings N] [--jdk VERSION] [--results DIR] [PROGRAM...]
#
#   REPLAYS         how many replays a recording gets (1000)
#   --recordings N  how often a program is recorded (1): some faults are in the recording
#   --jdk VERSION   17 or 25; default: both, 25 where it is found (JAVA25_HOME, /usr/lib/jvm)
#   --results DIR   where the traces of failures go; default: a new directory in $TMPDIR, which is removed if
#                   nothing failed
#   PROGRAM...      names of these lists; default: all of them
#
# Of each recording, up to ten replays do not keep the order of threads (CANON_TEST_ORDER=off): one at
# least has to differ, or to diverge, else the program proves nothing. Then every replay with order kept has to be
# the recording, byte for byte; every other one has random delays (CANON_TEST_DELAYS). The table has a line a
# program and JDK:
#
#   loose     which of the unordered replays was the first to differ; `none` proves nothing
#   right     replays that were equal
#   diverged  replays that ended with status 70; allowed where threads.txt says `limit`
#   hung      replays that did not end within CANON_STRESS_SECONDS (100)
#   silent    replays that differed and did not say so
#
# Ten replays of a recording that are not right are enough; no more are tried. Exit status: 0 if all is as it has
# to be, 1 if not, 2 wrong usage.
set -u

usage() {
  sed -n '2,26s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

here=$(cd "$(dirname "$0")" && pwd)
e2e=$here/../e2e
# shellcheck source=programs.sh
. "$here/programs.sh"

replays=1000 recordings=1 versions=() results=''
[ $# -ge 1 ] || usage
canon=$(realpath -m "$1") && shift
if [[ ${1-} =~ ^[0-9]+$ ]]; then replays=$1 && shift; fi
while [ $# -gt 0 ]; do
  case $1 in
    --recordings) recordings=${2:?} && shift 2 ;;
    --jdk) versions+=("${2:?}") && shift 2 ;;
    --results) results=$(realpath -m "${2:?}") && shift 2 ;;
    -*) usage ;;
    *) break ;;
  esac
done
[ -x "$canon" ] || { echo "threads.sh: no canon at $canon" >&2 && exit 2; }
programs=("$@")
if [ ${#programs[@]} = 0 ]; then
  mapfile -t programs < <(sed -n 's/^\([A-Z][A-Za-z0-9]*\).*/\1/p' "$e2e/threads.txt" "$e2e/races.txt")
fi
if [ ${#versions[@]} = 0 ]; then
  versions=(17)
  if find_jdk 25 >/dev/null; then versions+=(25); fi
fi
keep=$results
[ -n "$results" ] || results=$(mktemp -d "${TMPDIR:-/tmp}/canon-threads.XXXXXX")
mkdir -p "$results"

export CANON_E2E_REPLAYS=$replays CANON_E2E_SECONDS=${CANON_STRESS_SECONDS:-100}
bad=0 all=0

# source_of PROGRAM: where it is; nothing if there is none
source_of() { find "$e2e/java/threads/$1.java" "$e2e/java/races/$1.java" 2>/dev/null; }

# prove PROGRAM JDK JAVA_HOME: one line of the table
prove() {
  local only counts verdict='' work="$results/$1.$2.$recording"
  only=$(sed -n 's|^// only: ||p' "$(source_of "$1")")
  [ -z "$only" ] || [ "$only" = "$2" ] || return
  CANON_E2E_CLASSES="$results/classes.$2" "$e2e/run.sh" "$canon" "$3" "$1" order "$work" >"$results/log" 2>&1
  counts=$(sed -n "s/^$1: unordered \([0-9]*\) right \([0-9]*\) diverged \([0-9]*\) hung \([0-9]*\) silent \([0-9]*\)$/\1 \2 \3 \4 \5/p" \
    "$results/log")
  read -r loose right diverged hung silent <<<"${counts:-0 0 0 0 0}"
  if [ -z "$counts" ]; then
    verdict="not recorded: $(grep -m 1 FAILED "$results/log")"
  elif ((hung + silent > 0)) || { ((diverged > 0)) && ! grep -qx "$1 limit" "$e2e/threads.txt"; }; then
    verdict='WRONG'
  elif ((loose == 0)); then
    verdict='proves nothing'
  fi
  [ "$loose" != 0 ] || loose=none
  printf '%-24s %3s  %5s %6s %8s %5s %6s  %s\n' "$1" "$2" "$loose" "$right" "$diverged" "$hung" "$silent" "$verdict"
  all=$((all + 1))
  if [ -n "$verdict" ]; then
    bad=$((bad + 1))
    mv "$results/log" "$work.log"
  else
    rm -rf "$work"
  fi
}

printf '%-24s %3s  %5s %6s %8s %5s %6s\n' program JDK loose right diverged hung silent
for version in "${versions[@]}"; do
  home=$(find_jdk "$version") || { echo "no JDK $version is here: set JAVA${version}_HOME" >&2 && exit 1; }
  for program in "${programs[@]}"; do
    [ -n "$(source_of "$program")" ] || { echo "threads.sh: there is no program $program" >&2 && exit 2; }
    for ((recording = 1; recording <= recordings; recording++)); do
      prove "$program" "$version" "$home"
    done
  done
  rm -rf "$results/classes.$version"
done
echo
echo "$((all - bad)) of $all recordings are as they have to be, with $replays replays each"
if [ $bad = 0 ] && [ -z "$keep" ]; then
  rm -rf "$results"
else
  echo "results: $results"
fi
[ $bad = 0 ]
