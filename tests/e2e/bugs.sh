#!/bin/bash
# bugs.sh CANON DIR [NAME...]: every program of native/bugs is recorded with detectors and replayed with --detect, which
# must name what is wrong and the line that is marked as guilty in its source. Its first line says what is wrong:
#   KIND: ...; library: yes (part of it is a shared library); signal: N (how it ends)
set -u
here=$(cd "$(dirname "$0")" && pwd)
canon=$(realpath "$1") dir=$2
shift 2
rm -rf "$dir" && mkdir -p "$dir" && cd "$dir" || exit 1
ulimit -c 0
failures=0
fail() { failures=$((failures + 1)); echo "FAILED: $name: $*"; sed 's/^/  /' "$name.err" | head -30; }

one() {
  source=$here/native/bugs/$name.c
  kind=$(sed -n '1s,/\* \([a-z ]*\):.*,\1,p' "$source")
  signal=$(sed -n '1s/.*signal: \([0-9]*\).*/\1/p' "$source")
  line=$(grep -n '/\* guilty \*/' "$source" | cut -d: -f1)
  flags="-std=gnu17 -D_GNU_SOURCE -O1 -g -w -pthread"
  library=
  if grep -q '^/\*.*library: yes' "$source"; then
    library=./lib$name.so
    cc $flags -shared -fPIC -DLIBRARY -o "$library" "$source" || { fail "does not compile"; return; }
  fi
  cc $flags -o "$name" "$source" $library -Wl,-rpath,"$PWD" || { fail "does not compile"; return; }
  timeout 60 "$canon" record --detect=overflow,uaf -o "$name.trace" -- "./$name" >"$name.out" 2>"$name.err"
  status=$?
  [ $status = $((signal ? 128 + signal : 0)) ] || fail "recorded with status $status"
  grep -q "^canon: .*$kind" "$name.err" || fail "no $kind is told after the recording"
  timeout 60 "$canon" replay --detect "$name.trace" >"$name.again" 2>"$name.err"
  status=$?
  [ $status = $((signal ? 128 + signal : 0)) ] || fail "replayed with status $status"
  cmp -s "$name.out" "$name.again" || fail "other output"
  grep -A1 "^canon: .*$kind" "$name.err" | grep -q "culprit: .*/$name.c:$line\$" || fail "line $line is not named"
}

[ $# -gt 0 ] || set -- $(cd "$here/native/bugs" && ls *.c | sed 's/\.c$//')
for name in "$@"; do one; done

name=overflow_by_one
if [ -d $name.trace ]; then
  CANON_TEST_ENFORCE=off timeout 60 "$canon" replay --detect $name.trace >/dev/null 2>$name.err
  ! grep -q 'culprit:' $name.err || fail "a culprit is named without looking at the recording"
fi
# Nothing is wrong with these.
for command in "python3 -c pass" "xz -T2 -k -c $here/bugs.sh" "ls -l /"; do
  name=${command%% *}
  type -P "$name" >/dev/null || continue
  timeout 60 "$canon" record --kind=native --detect=overflow,uaf -o "$name.trace" -- $(type -P "$name") ${command#* } >/dev/null 2>"$name.err"
  [ ! -s "$name.err" ] || fail "a false alarm"
done
[ $failures = 0 ] || exit 1
echo "$# bugs, each with its line"
cd / && rm -rf "$dir"
