#!/bin/sh
# verify_jdk.sh TOOL JDK WORKDIR MODES MODULES...: rewrites all classes of modules of a JDK, starts that JDK
# with the rewritten classes in place of its own, and lets it link (and so verify) every one of them.
#
# MODES is a comma-separated list of classfile_tool's modes; MODULES are names of modules, or ALL.
# The instrumented code also runs: the JVM boots with it. All methods that lock are compiled, too:
# -Xlog:monitormismatch shows those whose locking the JIT compilers do not accept.
set -eu
tool=$1 jdk=$2 work=$3 modes=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)

rm -rf "$work"
mkdir -p "$work"
if [ "$*" = ALL ]; then
    "$jdk/bin/jimage" extract --dir "$work/original" "$jdk/lib/modules"
else
    for module; do
        "$jdk/bin/jimage" extract --include "regex:/$module/.*" --dir "$work/original" "$jdk/lib/modules"
    done
fi
"$jdk/bin/javac" -d "$work/link" "$here/LinkAll.java" "$here/jdk/test/whitebox/WhiteBox.java"
mkdir "$work/whitebox"
mv "$work/link/jdk" "$work/whitebox/"
"$jdk/bin/javac" -Xlint:none --patch-module java.base="$here" -d "$work/helper" \
    "$here/java/lang/CanonTest.java"
(cd "$work/original" && find . -name '*.class' ! -name 'module-info.class') |
    sed 's,^\./[^/]*/,,; s,\.class$,,; s,/,.,g' | sort >"$work/names"
"$tool" monitors "$work/original" >"$work/monitors"

"$tool" same "$work/original"
for mode in $(echo "$modes" | tr , ' '); do
    rm -rf "$work/new"
    "$tool" "$mode" "$work/original" "$work/new"
    cp -r "$work/helper/." "$work/new/java.base/"
    find "$work/new" -name module-info.class -delete
    : >"$work/options"
    for module in $(ls "$work/new"); do
        echo "--patch-module $module=$work/new/$module" >>"$work/options"
    done
    status=0
    "$jdk/bin/java" @"$work/options" --add-modules ALL-SYSTEM -XX:+UnlockDiagnosticVMOptions \
        -XX:+BytecodeVerificationLocal -XX:+BytecodeVerificationRemote -XX:-CheckIntrinsics \
        -XX:+WhiteBoxAPI -Xbootclasspath/a:"$work/whitebox" -Xbatch -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \
        -Xlog:disable -Xlog:all=error:stderr -Xlog:monitormismatch=info:file="$work/mismatch.log" \
        -cp "$work/link" LinkAll "$work/names" "$work/missing" "$work/monitors" >"$work/log" 2>&1 || status=$?
    grep -v NoSuchMethodError "$work/log" || true # of parts of WhiteBox that we do not have
    if [ -s "$work/mismatch.log" ]; then
        echo "monitor mismatches:"
        cat "$work/mismatch.log"
        exit 1
    fi
    [ $status -eq 0 ] || exit $status
done
