#!/usr/bin/env bash
# replay_code.sh: replaying with other code than was recorded: another JDK, another class.
. "$(dirname "$0")/lib.sh"

jdk=$(dirname "$(dirname "$(readlink -f "$JAVA")")")

# helper TEXT: a class that the JVM itself reads, not Java code: it is not in the trace
helper() {
  mkdir -p boot
  printf 'public class Helper { public static String text() { return "%s"; } }\n' "$1" >Helper.java
  "$jdk/bin/javac" -d boot Helper.java
}

cat >Main.java <<'JAVA'
public class Main {
    public static void main(String[] args) {
        System.out.println(Helper.text() + " " + System.nanoTime());
    }
}
JAVA
helper "the first text"
"$jdk/bin/javac" -cp boot -d classes Main.java
run "$canon" record -o boot.trace -- "$JAVA" -Xbootclasspath/a:boot -cp classes Main
expect_status 0
cp out boot.out

shows "a class of the boot class path"
run "$canon" replay boot.trace
expect_status 0
cmp -s out boot.out || fail "other output"
helper "another text"
run "$canon" replay boot.trace
expect_status 70
expect_err "likely:   class Helper is not the one that was recorded"
expect_no_out

shows "a class of a patched module"
mkdir -p patch/java/util
printf 'package java.util; public class Patch { public static String text() { return "%s"; } }\n' one >Patch.java
"$jdk/bin/javac" --patch-module java.base=. -d patch Patch.java
sed -i 's/Helper.text/java.util.Patch.text/' Main.java
"$jdk/bin/javac" --patch-module java.base=patch -d classes Main.java
run "$canon" record -o patch.trace -- "$JAVA" --patch-module java.base=patch -cp classes Main
expect_status 0
sed -i 's/one/two/' Patch.java
"$jdk/bin/javac" --patch-module java.base=. -d patch Patch.java
run "$canon" replay patch.trace
expect_status 70
expect_err "likely:   class java/util/Patch is not the one that was recorded"

# The same JDK with another name: what counts is what it says of itself.
shows "another release of the JDK"
record trace hello
expect_status 0
cp out hello.out
mkdir -p other/bin
cp "$jdk/bin/java" other/bin/java
for entry in "$jdk"/*; do
  [ "$(basename "$entry")" = bin ] || ln -s "$entry" other/
done
run "$canon" replay --java-home other trace
expect_status 0
cmp -s out hello.out || fail "other output"
rm other/release
printf 'IMPLEMENTOR="somebody"\nJAVA_VERSION="99.0.1"\n' >other/release
run "$canon" replay --java-home other trace
expect_failure "is of JDK 99.0.1: a replay needs the same release"
expect_no_out

shows "a JDK that says nothing of itself"
rm other/release
run "$canon" replay --java-home other trace
expect_status 0
cmp -s out hello.out || fail "other output"

finish
