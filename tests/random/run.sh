#!/usr/bin/env bash
# Records the random program of a seed and replays it:
#
#   run.sh CANON JAVA_HOME SEED WORKDIR [REPLAYS]
#
# The seed chooses what the threads do (RandomThreads.java), how many there are and how many steps they take,
# and the options of the JVM: mode of execution and collector. Every replay (10) has to be the recording, byte for
# byte; every other one has random delays (CANON_TEST_DELAYS). What is wrong is said in a line, with the
# beginning of the report and the command; then the work directory stays, with the trace and the outputs.
#
# Environment: CANON_RANDOM_CLASSES  where the class files are; made there if they are not (WORKDIR.classes)
#              CANON_RANDOM_SECONDS  after how long a run counts as hanging (100)
#
# Exit status: 0 all replays are right, 1 not, 2 usage.
set -u

if [ $# -lt 4 ]; then
  sed -n '2,15s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
canon=$(realpath -m "$1")
java_home=$2
seed=$3
work=$(realpath -m "$4")
replays=${5:-10}
here=$(cd "$(dirname "$0")" && pwd)
classes=${CANON_RANDOM_CLASSES:-$work.classes}
limit_s=${CANON_RANDOM_SECONDS:-100}

compile() {
  mkdir -p "$classes"
  exec 9>"$classes/lock"
  flock 9
  if [ -n "$(find "$here" -name '*.java' -newer "$classes/RandomThreads.class" 2>&1)" ]; then
    "$java_home/bin/javac" --release 17 -d "$classes" "$here"/*.java || exit 1
  fi
  exec 9>&-
}

# What the seed chooses. -Xcomp is rare, because it takes long.
choose() {
  local number=$((seed * 6364136223846793005 + 1442695040888963407))
  number=$(((number >> 17 ^ number >> 40) & 0x7fffffff))
  threads=$((2 + number % 15))
  steps=$((40 + number / 15 % 300))
  arguments=("$seed" "$threads" "$steps")
  options=()
  case $((number / 4500 % 40)) in
    [0-7]) options+=(-Xint) ;;
    8 | 9 | 1[0-5]) options+=(-XX:TieredStopAtLevel=1) ;;
    16) options+=(-Xcomp) ;;
  esac
  case $((number / 180000 % 6)) in
    0) options+=(-XX:+UseSerialGC) ;;
    1) options+=(-XX:+UseParallelGC) ;;
    2) options+=(-XX:+UseZGC) ;;
  esac
  if ((number / 1080000 % 8 == 0)); then
    arguments+=(cold)
  fi
}

# run LABEL COMMAND...: its exit status is in LABEL.status. It is ended with its process group if it hangs.
run() {
  local label=$1
  shift
  { timeout -s KILL "$limit_s" env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 "$@" >"$label.out" 2>"$label.err" </dev/null; } 2>/dev/null
  echo $? >"$label.status"
}

bad=0
# complain LABEL TEXT: once for each kind
complain() {
  bad=$((bad + 1))
  [ $bad = 1 ] || return
  echo "seed $seed: $2"
  echo "  command: canon record --order=edges -o T -- $java_home/bin/java ${options[*]} -cp CLASSES RandomThreads ${arguments[*]}"
  head -n 12 "$1.err" | cut -c 1-160 | sed 's/^/  | /'
  for part in out err; do
    cp "$1.$part" "failed.$part"
  done
}

compile
choose
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
run record "$canon" record --order=edges -o trace -- "$java_home/bin/java" "${options[@]}" -cp "$classes" RandomThreads "${arguments[@]}"
if [ "$(cat record.status)" != 0 ] || [ -s record.err ]; then
  complain record "the recording ended with status $(cat record.status)"
  exit 1
fi
hung=0
for ((round = 1; round <= replays && hung < 3; round++)); do
  delays=()
  ((round % 2)) || delays=("CANON_TEST_DELAYS=$round")
  run replay "${delays[@]}" "$canon" replay trace
  status=$(cat replay.status)
  if [ "$status" = 137 ] || [ "$status" = 124 ]; then
    hung=$((hung + 1))
    complain replay "replay $round hung, ended after $limit_s s"
  elif [ "$status" != 0 ]; then
    complain replay "replay $round ended with status $status"
  elif ! cmp -s record.out replay.out || ! cmp -s record.err replay.err; then
    complain replay "replay $round is SILENTLY another one"
  fi
done
if [ $bad != 0 ]; then
  echo "  $bad of $((round - 1)) replays are not right: $work"
  exit 1
fi
echo "seed $seed: right, ${threads} threads, ${steps} steps ${options[*]}"
cd /
rm -rf "$work"
