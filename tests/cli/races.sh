#!/usr/bin/env bash
# races.sh: data races that a replay finds, and fields that are ordered by name.
. "$(dirname "$0")/lib.sh"

shows "a race is found, an ordered field is not one"
run "$canon" record --order=edges -o trace -- "$JAVA" -cp "$CLASSES" Program race
expect_status 0
run "$canon" replay --races trace
grep -q '^canon: race on Program.plain$' err || fail "the race is not told"
grep -q '^canon: race on Program.named$' err || fail "nor is the other one"
grep -q '^canon: race on Program.ordered$' err && fail "a volatile field is no race"

shows "a field that was named is ordered"
run "$canon" record --order=edges --racy=Program.named -o named -- "$JAVA" -cp "$CLASSES" Program race
expect_status 0
cp out recorded
run "$canon" replay --races named
grep -q '^canon: race on Program.plain$' err || fail "the race is not told"
grep -q '^canon: race on Program.named$' err && fail "an ordered field is no race"

shows "places that are none"
for place in nothing a.b.c* a*b*.c 'a.b(I)' .x; do
  run "$canon" record "--racy=$place" -o never -- "$JAVA" -version
  case $place in
  'a.b.c*') expect_status 0; rm -rf never ;;
  *) expect_status 64; [ ! -e never ] || fail "a trace was made" ;;
  esac
done
finish
