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

shows "places that race are put on a list, which record takes"
printf 'canon racing places 1\n# mine\norg.example.Cache.fill()!\n' >list
run "$canon" discover --races -o list -- "$JAVA" -cp "$CLASSES" Program race
expect_status 0
[ "$(cat out)" = true ] || fail "the program's output is not there"
[ "$(head -n 3 list)" = "$(printf '%s\n' 'canon racing places 1' '# mine' 'org.example.Cache.fill()!')" ] || fail "what was there is not any more"
[ "$(tail -n +4 list | sort)" = "$(printf '%s\n' Program.named Program.plain)" ] || fail "not on the list"
run "$canon" record --racy=list -o listed -- "$JAVA" -cp "$CLASSES" Program race
expect_status 0
run "$canon" replay --races -o more listed
grep -q '^canon: race on' err && fail "what is on the list races no more"
[ "$(cat more)" = 'canon racing places 1' ] || fail "the list should be empty"

shows "a program that loses updates replays with its list, and not without"
for _ in 1 2 3 4 5; do # races show by chance
  run "$canon" discover --races -o lost -- "$JAVA" -cp "$CLASSES" Program lost
  ! grep -qx 'Program$Counter.count' lost || break
done
grep -qx 'Program$Counter.count' lost || fail "the field is not on the list"
run "$canon" record --racy=lost -o counted -- "$JAVA" -cp "$CLASSES" Program lost
cp out counted.out
for _ in 1 2 3; do
  run "$canon" replay counted
  cmp -s out counted.out || fail "the replay printed something else"
done
right=0
for _ in 1 2 3 4 5; do
  rm -rf uncounted
  run "$canon" record -o uncounted -- "$JAVA" -cp "$CLASSES" Program lost
  run "$canon" replay uncounted
  [ "$status" != 0 ] || right=$((right + 1))
done
[ $right -lt 5 ] || fail "without the list it replays, too: this shows nothing"

shows "lists that are none"
printf 'canon racing places 1\nno place\n' >bad
run "$canon" record --racy=bad -o never -- "$JAVA" -version
expect_usage "bad: line 2"
printf 'something else\n' >mine
run "$canon" replay --races -o mine trace
expect_status 69
[ "$(cat mine)" = 'something else' ] || fail "a file that is no list was changed"
run "$canon" replay -o list trace
expect_status 64

shows "places that are none"
for place in nothing a.b.c* a*b*.c 'a.b(I)' .x; do
  run "$canon" record "--racy=$place" -o never -- "$JAVA" -version
  case $place in
  'a.b.c*') expect_status 0; rm -rf never ;;
  *) expect_status 64; [ ! -e never ] || fail "a trace was made" ;;
  esac
done
finish
