#!/usr/bin/env bash
# Records random programs with threads (tests/random) and replays each of them:
#
#   random.sh CANON [PROGRAMS] [REPLAYS] [--first SEED] [--jdk VERSION] [--results DIR]
#
#   PROGRAMS        how many programs (1000), on each JDK
#   REPLAYS         how many replays a recording gets (10)
#   --first SEED    seed of the first program (1); the others follow
#   --jdk VERSION   17 or 25; default: both, 25 where it is found (JAVA25_HOME, /usr/lib/jvm)
#   --results DIR   where the traces of failures go; default: a new directory in $TMPDIR, which is removed if
#                   nothing failed
#
# Each mismatch is told with its seed, and its trace stays in DIR/SEED.JDK. To repeat one:
#
#   tests/random/run.sh CANON JAVA_HOME SEED WORKDIR REPLAYS
#
# Exit status: 0 if every replay was right, 1 if not, 2 wrong usage.
set -u

usage() {
  sed -n '2,17s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=programs.sh
. "$here/programs.sh"

programs=1000 replays=10 first=1 versions=() results=''
[ $# -ge 1 ] || usage
canon=$(realpath -m "$1") && shift
if [[ ${1-} =~ ^[0-9]+$ ]]; then programs=$1 && shift; fi
if [[ ${1-} =~ ^[0-9]+$ ]]; then replays=$1 && shift; fi
while [ $# -gt 0 ]; do
  case $1 in
    --first) first=${2:?} && shift 2 ;;
    --jdk) versions+=("${2:?}") && shift 2 ;;
    --results) results=$(realpath -m "${2:?}") && shift 2 ;;
    *) usage ;;
  esac
done
[ -x "$canon" ] || { echo "random.sh: no canon at $canon" >&2 && exit 2; }
if [ ${#versions[@]} = 0 ]; then
  versions=(17)
  if find_jdk 25 >/dev/null; then versions+=(25); fi
fi
keep=$results
[ -n "$results" ] || results=$(mktemp -d "${TMPDIR:-/tmp}/canon-random.XXXXXX")
mkdir -p "$results"

bad=0 all=0
for version in "${versions[@]}"; do
  home=$(find_jdk "$version") || { echo "no JDK $version is here: set JAVA${version}_HOME" >&2 && exit 1; }
  echo "JDK $version, $programs programs from seed $first, $replays replays each:"
  for ((seed = first; seed < first + programs; seed++)); do
    all=$((all + 1))
    if ! CANON_RANDOM_CLASSES="$results/classes.$version" "$here/../random/run.sh" "$canon" "$home" "$seed" \
      "$results/$seed.$version" "$replays" >"$results/log" 2>&1; then
      bad=$((bad + 1))
      cat "$results/log"
    fi
  done
  rm -rf "$results/classes.$version"
done
rm -f "$results/log"
echo "$((all - bad)) of $all programs replayed $replays of $replays times"
if [ $bad = 0 ] && [ -z "$keep" ]; then
  rm -rf "$results"
else
  echo "results: $results"
fi
[ $bad = 0 ]
