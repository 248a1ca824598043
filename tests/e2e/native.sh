#!/bin/bash
# native.sh CANON NAME MODE DIR: one case of a native program. Modes: replay, serial (the same with --order=serial), proof,
# order (a proof, too),
# unlisted (a proof of programs with a list of racing instructions: without it something differs), plain,
# discovered (replay, with a list that `canon discover --races` has made).
#
# Compiles native/NAME.c, records it in a world of its own, takes the world away, and replays it in another directory.
set -u
here=$(cd "$(dirname "$0")" && pwd)
canon=$(realpath "$1") name=$2 mode=$3 dir=$4
fail() { echo "FAILED: $name: $*" >&2; [ -s "$dir/err" ] && head -25 "$dir/err" >&2; exit 1; }

rm -rf "$dir" && mkdir -p "$dir/world/in" "$dir/elsewhere" || exit 1
dir=$(realpath "$dir")
program=$dir/$name
source=$(ls "$here/native/$name".c*)
directive() { sed -n "1,5s/.*$1: \([^*]*[^* ]\).*/\1/p" "$source"; }
args=$(directive args) flags=$(directive flags) options=$(directive record) exit=$(directive exit | grep -o '^[0-9]*')
exit=${exit:-0}
by=$(directive by)
[ -z "$by" ] || by=$(dirname "$canon")/$by
if [ "$source" != "${source%.cpp}" ]; then
  ${by:-c++} -O2 -pthread $flags -o "$program" "$source" || fail "does not compile"
else
  ${by:-cc} -std=gnu17 -D_GNU_SOURCE -O2 -Wall -Wextra -pthread $flags -o "$program" "$source" || fail "does not compile"
fi
[ "$mode" = serial ] && options=--order=serial mode=replay
# Instructions with labels that begin like this are those that race.
racy=$(directive racy)
if [ -n "$racy" ] && [ "$mode" != unlisted ]; then
  id=$(readelf -n "$program" | sed -n 's/.*Build ID: //p')
  { echo "canon racing instructions 1"; nm "$program" | sed -n "s/^\([0-9a-f]*\) . $racy.*/$id \1 $name/p"; } >"$dir/racy"
  options="$options --racy=$dir/racy"
fi

if [ "$mode" = discovered ]; then
  command -v valgrind >/dev/null || exit 77
  for i in 1 2; do
    "$canon" discover --races -o "$dir/racy" -- "$program" short >"$dir/out" 2>"$dir/err" || fail "discover: status $?"
  done
  grep -q "^canon: .*: [1-9][0-9]* instructions that race" "$dir/err" || fail "no races were found"
  options="$options --racy=$dir/racy" mode=replay
fi
cd "$dir/world" || exit 1
echo "nonce $RANDOM$RANDOM$RANDOM" >in/data.txt
ulimit -c 0
if [ "$mode" = plain ]; then
  "$program" $args; echo "status $?"
  exit 0
fi
timeout 60 "$canon" record $options -o "$dir/trace" -- "$program" $args >"$dir/out.recorded" 2>"$dir/err.recorded"
status=$?
cp "$dir/err.recorded" "$dir/err"
[ -z "$racy" ] || ! "$canon" info "$dir/trace" | grep -i 'could not be rewritten' || fail "not all instructions are ordered"
[ $status = "$exit" ] || fail "recorded with status $status instead of $exit"
grep -q '^canon' "$dir/err.recorded" && fail "canon says something while it records"
rm -r "$dir/world"
cd "$dir/elsewhere" || exit 1

# One replay; the output goes to out and err, without canon's notes.
seconds=60
[ "$mode" = order ] && seconds=5 # it may wait for what never comes
replay() {
  env -i "$@" PATH="$PATH" timeout "$seconds" "$canon" replay "$dir/trace" >"$dir/out" 2>"$dir/err.all" </dev/null
  status=$?
  grep -v '^canon: note: ' "$dir/err.all" >"$dir/err"
}
same() { [ $status = "$exit" ] && cmp -s "$dir/out" "$dir/out.recorded" && cmp -s "$dir/err" "$dir/err.recorded"; }

case $mode in
  replay)
    for i in 1 2 3 4; do
      if [ $i -gt 2 ]; then replay CANON_TEST_DELAYS=$i; else replay; fi
      same || fail "replay $i: status $status, or other output"
      [ -z "$(ls -A)" ] || fail "a replay leaves files"
    done ;;
  proof)
    replay CANON_TEST_ENFORCE=off
    same && fail "nothing differs when the program runs for real" ;;
  order)
    for i in 1 2 3 4 5; do
      replay CANON_TEST_ORDER=off
      same || break
    done
    same && fail "nothing differs without the order of threads" ;;
  unlisted)
    for i in 1 2 3 4 5; do
      replay CANON_TEST_DELAYS=$i
      same || break
    done
    same && fail "nothing differs without the list" ;;
  *) fail "there is no mode $mode" ;;
esac
rm -rf "$dir"
