#!/usr/bin/env bash
# Archives of rewritten classes:
#
#   archive.sh CANON JAVA_HOME WORKDIR
#
# `canon prepare` makes them; the JVM uses them where it may, and only there; and with them the same is recorded
# as without, so that each can be replayed in both ways: programs of java/archive/, which define classes in every
# way there is, and a few others. Exit status: 0 passed, 1 failed.
set -u
canon=$(realpath "$1")
java=$2/bin
include=$2/include
work=$(realpath -m "$3")
here=$(cd "$(dirname "$0")" && pwd)
. "$here/run_checked.sh"

# record CACHE OPTION...: CACHE is the directory with or without archives; its trace is in the directory CACHE.trace
record() {
  local cache=$1
  shift
  rm -rf "$work/$cache.trace"
  XDG_CACHE_HOME=$work/$cache run "$canon" record -o "$work/$cache.trace" -- "$java/java" "$@"
  [ "$status" = 0 ] || fail "recording $*: status $status"
}

# archived OPTION...: how many classes a recorded JVM takes out of an archive
archived() {
  record with -Xlog:class+load -cp "$work/classes" "$@" Small
  grep -c 'source: shared objects file' "$work/out"
}

# counted WHAT: "events" or "operations" of the last trace with an archive
counted() { "$canon" info "$work/${2:-with}.trace" | sed -n "s/.*$1: \([0-9]*\).*/\1/p"; }

# same_in_both NAME OPTION...: recorded with and without archive, and each replayed with and without
same_in_both() {
  local name=$1 recorded replayed
  shift
  for recorded in with without; do
    record "$recorded" "$@"
    for replayed in with without; do
      XDG_CACHE_HOME=$work/$replayed run "$canon" replay --check "$work/$recorded.trace"
      [ "$status" = 0 ] || fail "$name: recorded $recorded, replayed $replayed archive: status $status"
    done
  done
}

rm -rf "$work"
mkdir -p "$work/with" "$work/without"
source="$here/java/archive"
export_unsafe=(--add-exports java.base/jdk.internal.misc=ALL-UNNAMED)
run "$java/javac" -nowarn "${export_unsafe[@]}" -d "$work/classes" "$source"/{Defines,Small,Hashes,Agent,Attaches}.java
[ "$status" = 0 ] || fail "the programs do not compile"
run "$java/javac" -d "$work/payload" "$source/Counter.java"
[ "$status" = 0 ] || fail "the payload does not compile"
run cc -shared -fPIC -O1 -I"$include" -I"$include/linux" -o "$work/libdefine.so" "$source/define.c"
[ "$status" = 0 ] || fail "the library does not compile"

[ "$(archived)" = 0 ] || fail "there is an archive that nobody made"
XDG_CACHE_HOME=$work/with run "$canon" prepare "$java/java"
[ "$status" = 0 ] && [ ! -s "$work/err" ] || fail "canon prepare: status $status"
[ "$(find "$work/with/canon" -perm 0400 -name '*.jsa' | wc -l)" = 2 ] || fail "there are not two archives"
[ "$(find "$work/with/canon" | wc -l)" = 3 ] || fail "there is more than two archives"

mkdir -p "$work/open/canon"
chmod 777 "$work/open/canon"
XDG_CACHE_HOME=$work/open run "$canon" prepare "$java/java"
[ "$status" = 69 ] && grep -q 'others may write' "$work/err" || fail "an archive where others may write"

# Used: most classes are there, the helpers too.
[ "$(archived)" -gt 350 ] || fail "the archive is not used"
grep -q 'java.lang.CanonRecord source: shared objects file' "$work/out" || fail "a helper class is not in the archive"

# Not where classes may come from elsewhere, nor if others can have written it, nor with other rules.
printf 'Premain-Class: Agent\nAgent-Class: Agent\n' >"$work/manifest"
run "$java/jar" -cfm "$work/agent.jar" "$work/manifest" -C "$work/classes" Agent.class
run "$java/jar" -cf "$work/boot.jar" -C "$work/payload" .
for option in -Xshare:off "-Xbootclasspath/a:$work/payload" "-javaagent:$work/agent.jar" \
  "--patch-module=java.base=$work/payload"; do
  [ "$(archived "$option")" = 0 ] || fail "$option: the archive is used"
done
chmod g+w "$work/with/canon"/record-*
[ "$(archived)" = 0 ] || fail "an archive is used that others may write"
chmod g-w "$work/with/canon"/record-*
# Where the JVM refuses it, nobody hears of it.
record with -XX:-UseCompressedOops -cp "$work/classes" Small
[ "$(cat "$work/out")" = small ] && [ ! -s "$work/err" ] || fail "the JVM talks about an archive it cannot use"
[ "$(archived)" -gt 350 ] || fail "the archive is not used any more"

# And the same comes out.
same_in_both Small -cp "$work/classes" Small
for what in events operations; do
  [ "$(counted $what with)" = "$(counted $what without)" ] ||
    fail "$what with archive: $(counted $what with), without: $(counted $what without)"
done
same_in_both Hashes -cp "$work/classes" Hashes
same_in_both Defines "${export_unsafe[@]}" -cp "$work/classes" Defines "$work/payload/Counter.class" \
  "$work/libdefine.so"
[ "$(counted operations)" -ge 12000 ] || fail "Defines: a class is not rewritten"

# An agent that is loaded later brings classes of its own.
record with -Xlog:class+load -XX:+EnableDynamicAgentLoading -Djdk.attach.allowAttachSelf=true -Dcount=200000 \
  -cp "$work/classes" Attaches "$work/agent.jar" "$work/boot.jar"
[ "$(grep -c 'source: shared objects file' "$work/out")" -gt 350 ] || fail "Attaches: the archive is not used"
[ "$(counted operations)" -ge 400000 ] || fail "Attaches: a class is not rewritten"

XDG_CACHE_HOME=$work/with run "$canon" prepare --remove
[ "$(ls "$work/with/canon")" = "" ] || fail "canon prepare --remove leaves something"
rm -rf "$work"
