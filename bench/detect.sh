#!/bin/bash
# detect.sh CANON WHAT...: what detectors and epochs cost, and what others find. Prints rows of the tables of README.md.
#   cost COMMAND...   plain, recorded, with --detect, with --detect --in-situ: seconds, CPU seconds and memory as ratios,
#                     interleaved, medians of CANON_ROUNDS (5)
#   snapshot          of 10 MB, 100 MB and 1 GB, of which 1% and 50% are written
#   compare           the programs of tests/e2e/native/bugs: canon, AddressSanitizer, valgrind
#   others            locks.c and words.c plain, recorded, with --detect, with AddressSanitizer, with valgrind: seconds and
#                     memory as ratios, interleaved, medians of CANON_ROUNDS (5)
#   race N            the crasher of tests/e2e/native/insitu: in which try it came again
set -u
here=$(cd "$(dirname "$0")" && pwd)
canon=$(realpath "$1")
what=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ulimit -c 0
bugs=$here/../tests/e2e/native/bugs

# measured WAY COMMAND...: one run
measured() {
  local way=$1
  shift
  "$work/measure" "$work/runs" "$way" "$@" >/dev/null 2>&1 </dev/null || echo "$way failed: $*" >&2
}

# recorded WAY OPTION... -- COMMAND...: one recording
recorded() {
  local way=$1
  shift
  rm -rf "$work/t"
  measured "$way" "$canon" record -o "$work/t" "$@"
}

# median WAY COLUMN: of the runs
median() {
  awk -F '\t' -v way="$1" -v column="$2" '$1 == way { print $column }' "$work/runs" | sort -n | awk '{ v[NR] = $1 } END {
    print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# row NAME WAY...: wall time, CPU time and peak of memory of each way, against the plain one
row() {
  local way
  printf '| %s | %.2f s, %.0f MB |' "$1" "$(median plain 2 | awk '{ print $1 / 1000 }')" "$(median plain 4 | awk '{ print $1 / 1024 }')"
  shift
  for way in "$@"; do
    echo "$(median "$way" 2) $(median "$way" 3) $(median "$way" 4) $(median plain 2) $(median plain 3) $(median plain 4)" |
      awk '{ printf " %.2f, %.2f, %.2f |", $1 / $4, $2 / $5, $3 / $6 }'
  done
  echo
}

cost() {
  cc -O2 -o "$work/measure" "$here/measure.c" || exit 1
  for _ in $(seq "${CANON_ROUNDS:-5}"); do
    measured plain "$@"
    recorded record -- "$@"
    recorded detect --detect=overflow,uaf -- "$@"
    recorded insitu --detect=overflow,uaf --in-situ -- "$@"
  done
  row "$(basename "$1")" record detect insitu
}

snapshot() {
  cc -std=gnu17 -D_GNU_SOURCE -O2 -I"$here/../src" -o "$work/snapshot" "$here/snapshot.c" "$here/../src/native/insitu/context.S" || exit 1
  local size
  for size in 10 100 1024; do
    for share in 1 50; do
      "$work/snapshot" $size $share
      "$work/snapshot" $size $share copies
    done
  done
}

# named FILE NAME LINE: whether a report names the guilty line
named() { grep -qE "$2\.c:$3([^0-9]|$)" "$1" && echo line || { [ -s "$1" ] && echo found || echo -; }; }

compare() {
  local source name line flags="-std=gnu17 -D_GNU_SOURCE -O1 -g -w -pthread"
  for source in "$bugs"/*.c; do
    name=$(basename "$source" .c)
    grep -q 'library: yes' "$source" && continue
    line=$(grep -n '/\* guilty \*/' "$source" | cut -d: -f1)
    cc $flags -o "$work/$name" "$source"
    cc $flags -fsanitize=address -o "$work/$name.asan" "$source"
    "$canon" record --detect=overflow,uaf -o "$work/$name.t" -- "$work/$name" >/dev/null 2>"$work/one"
    "$canon" replay --detect "$work/$name.t" >/dev/null 2>"$work/canon.err"
    ASAN_OPTIONS=detect_leaks=0 "$work/$name.asan" >/dev/null 2>"$work/asan.err"
    valgrind -q --error-exitcode=9 "$work/$name" >/dev/null 2>"$work/valgrind.err"
    echo "| $name | $(named "$work/canon.err" "$name" "$line") | $(named "$work/asan.err" "$name" "$line") | $(named "$work/valgrind.err" "$name" "$line") |"
  done 2>/dev/null
}

others_of() { # NAME ARGUMENTS...
  local name=$1 flags="-std=gnu17 -O2 -g -pthread"
  shift
  cc $flags -o "$work/$name" "$here/$name.c" && cc $flags -fsanitize=address -o "$work/$name.asan" "$here/$name.c" || exit 1
  rm -f "$work/runs"
  for _ in $(seq "${CANON_ROUNDS:-5}"); do
    measured plain "$work/$name" "$@"
    recorded record -- "$work/$name" "$@"
    recorded detect --detect=overflow,uaf -- "$work/$name" "$@"
    ASAN_OPTIONS=detect_leaks=0 measured asan "$work/$name.asan" "$@"
    measured valgrind valgrind -q "$work/$name" "$@"
  done
  row "$name" record detect asan valgrind
}

others() {
  cc -O2 -o "$work/measure" "$here/measure.c" || exit 1
  echo "| | plain | record: wall, CPU, memory | --detect | AddressSanitizer | valgrind |"
  echo "|---|---|---|---|---|---|"
  others_of words 15
  others_of locks 2 20
}

race() {
  cc -O1 -g -pthread -o "$work/crasher" "$here/../tests/e2e/native/insitu/crasher.c" || exit 1
  for i in $(seq "$1"); do
    rm -rf "$work/t"
    "$canon" record --in-situ --epoch=50 -o "$work/t" -- "$work/crasher" 2>&1 |
      sed -n 's/.*at try \([0-9]\).*/try \1/p; s/.*could not be run again.*/not in 6 tries/p'
  done 2>/dev/null | sort | uniq -c
}

"$what" "$@"
