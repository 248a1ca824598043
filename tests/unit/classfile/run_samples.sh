#!/bin/sh
# run_samples.sh TOOL JDK WORKDIR MODES: compiles the samples, runs them as they are and rewritten in each of the
# tool's modes (with commas in between), and compares what they print.
set -eu
tool=$1 jdk=$2 work=$3 modes=$4
here=$(cd "$(dirname "$0")" && pwd)

rm -rf "$work"
mkdir -p "$work/src"
"$here/samples/make_big.sh" >"$work/src/Big.java"
early=
! grep -q '^JAVA_VERSION="\(2[5-9]\|[3-9]\)' "$jdk/release" || early=$here/samples/Early.java
"$jdk/bin/javac" -g -XDignore.symbol.file -Xlint:-removal -nowarn -d "$work/original" "$work/src/Big.java" \
    "$here/samples/Samples.java" "$here/samples/Ordered.java" $early 2>"$work/javac.log" ||
    { cat "$work/javac.log" && exit 1; }
"$jdk/bin/javac" -Xlint:none --patch-module java.base="$here" -d "$work/helper" \
    "$here/java/lang/CanonTest.java"
"$jdk/bin/java" -Xshare:auto -cp "$work/original" Samples >"$work/original.out" 2>"$work/err"
"$tool" same "$work/original"

run() { # mode, options
    mode=$1
    shift
    timeout 60 "$jdk/bin/java" "$@" --patch-module java.base="$work/helper" \
        -Xlog:monitormismatch=info:file="$work/mismatch.log" -cp "$work/$mode" Samples >"$work/$mode.out" 2>"$work/err" ||
        { cat "$work/err" && exit 1; }
    diff "$work/original.out" "$work/$mode.out"
    if [ -s "$work/mismatch.log" ]; then
        cat "$work/mismatch.log"
        exit 1
    fi
}

for mode in $(echo "$modes" | tr , ' '); do
    "$tool" "$mode" "$work/original" "$work/$mode"
    run $mode
    case $mode in
    calls | order)
        run $mode -Xss300k # so little stack that helpers run out of it, too
        run $mode -Xcomp -XX:-DontCompileHugeMethods -XX:CompileCommand=quiet \
            '-XX:CompileCommand=compileonly,Samples*::*' '-XX:CompileCommand=compileonly,Ordered*::*'
        ;;
    esac
done
echo "samples: the same output in all ways"
