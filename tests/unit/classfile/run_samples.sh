#!/bin/sh
# run_samples.sh TOOL JDK WORKDIR: compiles the samples, runs them as they are and rewritten in several ways,
# and compares what they print.
set -eu
tool=$1 jdk=$2 work=$3
here=$(cd "$(dirname "$0")" && pwd)

rm -rf "$work"
mkdir -p "$work/src"
"$here/samples/make_big.sh" >"$work/src/Big.java"
"$jdk/bin/javac" -g -d "$work/original" "$work/src/Big.java" "$here/samples/Samples.java"
"$jdk/bin/javac" -Xlint:none --patch-module java.base="$here" -d "$work/helper" \
    "$here/java/lang/CanonTest.java"
"$jdk/bin/java" -Xshare:auto -cp "$work/original" Samples >"$work/original.out"
"$tool" same "$work/original"

run() { # mode, options
    mode=$1
    shift
    timeout 60 "$jdk/bin/java" "$@" --patch-module java.base="$work/helper" \
        -Xlog:monitormismatch=info:file="$work/mismatch.log" -cp "$work/$mode" Samples >"$work/$mode.out"
    diff "$work/original.out" "$work/$mode.out"
    if [ -s "$work/mismatch.log" ]; then
        cat "$work/mismatch.log"
        exit 1
    fi
}

for mode in calls nops rules; do
    "$tool" "$mode" "$work/original" "$work/$mode"
    run $mode
done
run calls -Xss300k # so little stack that helpers run out of it, too
run calls -Xcomp -XX:-DontCompileHugeMethods -XX:CompileCommand=quiet \
    '-XX:CompileCommand=compileonly,Samples*::*'
echo "samples: the same output in all ways"
