#!/usr/bin/env bash
# replay_world.sh: replaying where something of the recording is missing: its files, its JDK, canon's libraries.
. "$(dirname "$0")/lib.sh"

shared_classes=$CLASSES
cp -r "$CLASSES" classes
CLASSES=$work/classes
echo "the input" >input
record trace read "$work/input"
expect_status 0
[ "$(cat out)" = "the input" ] || fail "not recorded"

shows "without the program's files"
rm -r input classes
mkdir -p elsewhere
run env -C elsewhere "$canon" replay ../trace
expect_status 0
[ "$(cat out)" = "the input" ] || fail "other output"
expect_no_err
[ -z "$(ls elsewhere)" ] || fail "the replay leaves something behind"

# A JDK of links, with a launcher of its own, that can be taken away.
shows "a launcher that is not there"
CLASSES=$shared_classes
jdk=$(dirname "$(dirname "$(readlink -f "$JAVA")")")
mkdir -p jdk/bin
cp "$jdk/bin/java" jdk/bin/java
for entry in "$jdk"/*; do
  [ "$(basename "$entry")" = bin ] || ln -s "$entry" jdk/
done
run "$canon" record -o other -- jdk/bin/java -cp "$CLASSES" Program hello
expect_status 0
cp out hello.out
run "$canon" replay other
expect_status 0
cmp -s out hello.out || fail "other output"
rm -r jdk
run "$canon" replay other
expect_failure "jdk/bin/java: No such file or directory"
expect_err "--java-home"
expect_no_out
run "$canon" replay --java-home "$jdk" other
expect_status 0
cmp -s out hello.out || fail "other output"

shows "--java-home that has no JDK"
run "$canon" replay --java-home "$work/elsewhere" trace
expect_failure "bin/java"
expect_no_out

# A canon without one of its libraries must not run the program at all: not recorded, and at replay not for real.
for missing in libcanon-jvm.so libcanon-launch.so; do
  shows "canon without $missing"
  rm -rf home
  mkdir home
  cp "$canon" "$(dirname "$canon")"/libcanon-*.so home/
  rm home/$missing
  run home/canon record -o home/trace -- "$JAVA" -cp "$CLASSES" Program hello
  expect_failure "$missing is missing"
  expect_no_out
  [ ! -e home/trace ] || fail "there is a trace of nothing"
  run home/canon replay --java-home "$jdk" other
  expect_failure "$missing is missing"
  expect_no_out
done

shows "canon in another place"
rm -rf home
mkdir home
cp "$canon" "$(dirname "$canon")"/libcanon-*.so home/
run home/canon replay --java-home "$jdk" other
expect_status 0
cmp -s out hello.out || fail "other output"

shows "canon through a link and through PATH"
mkdir links
ln -s "$canon" links/canon
run links/canon replay --java-home "$jdk" other
expect_status 0
run env PATH="$work/links:$PATH" canon replay --java-home "$jdk" other
expect_status 0

finish
