#!/usr/bin/env bash
# demo.sh CANON: records a small Java program, takes its input and its class files away, replays it.
# Exit status 0 only if the replay printed what the recording had printed, byte for byte.
set -euo pipefail

canon=$(realpath "${1:?usage: demo.sh CANON}")
here=$(cd "$(dirname "$0")" && pwd)

# JDK 17 where the system keeps it, else the java of the PATH.
java_home=${JAVA17_HOME:-}
for home in /usr/lib/jvm/*17*; do
  if [ -z "$java_home" ] && [ -x "$home/bin/javac" ]; then java_home=$home; fi
done
java=${java_home:+$java_home/bin/}java

heading() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
bold='' plain=''
if [ -t 1 ]; then bold=$'\033[1m' plain=$'\033[0m'; fi

scratch=$(mktemp -d)
trap 'cd / && rm -rf "$scratch"' EXIT
mkdir -p "$scratch/work/letters" "$scratch/elsewhere"
cd "$scratch/work"
"${java}c" -d classes "$here/demo/Demo.java"
echo "Dear canon, remember me." >letters/first.txt
printf 'roses are red\nviolets are blue\nthis was written at %s\n' "$(date +%T.%N)" >letters/poem.txt

heading '$ VISITOR=you canon record -o trace -- java -cp classes Demo letters/poem.txt'
VISITOR=you "$canon" record -o ../trace -- "$java" -cp classes Demo letters/poem.txt >../recorded
cat ../recorded

cd ../elsewhere
rm -r ../work
echo
echo "Now the files that it read, its class files and its working directory are deleted."
echo "All that is left is the trace, $(du -sk ../trace | cut -f1) kB. It runs again, elsewhere and for another visitor:"

heading '$ VISITOR=stranger canon replay trace'
status=0
VISITOR=stranger "$canon" replay ../trace >../replayed || status=$?
cat ../replayed

echo
if [ "$status" = 0 ] && cmp ../recorded ../replayed; then
  echo "Identical, byte for byte."
else
  echo "The replay is NOT what was recorded (its exit status is $status)."
  exit 1
fi
