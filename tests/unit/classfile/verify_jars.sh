#!/bin/sh
# verify_jars.sh TOOL JDK WORKDIR MODES JARS...: rewrites all classes of jars and lets a JVM link (and so
# verify) every one of them. Classes that cannot be linked (because something they need is missing) must be
# the same ones as without rewriting.
set -eu
tool=$1 jdk=$2 work=$3 modes=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)

rm -rf "$work"
mkdir -p "$work/original"
for jar; do
    unzip -qn "$jar" '*.class' -d "$work/original" || true # a jar without classes is not an error
done >/dev/null 2>&1
rm -rf "$work/original/META-INF"
find "$work/original" -name module-info.class -delete
"$jdk/bin/javac" -d "$work/link" "$here/LinkAll.java" "$here/jdk/test/whitebox/WhiteBox.java"
mkdir "$work/whitebox"
mv "$work/link/jdk" "$work/whitebox/"
"$jdk/bin/javac" -Xlint:none --patch-module java.base="$here" -d "$work/helper" \
    "$here/java/lang/CanonTest.java"
(cd "$work/original" && find . -name '*.class') | sed 's,^\./,,; s,\.class$,,; s,/,.,g' | sort >"$work/names"
"$tool" monitors "$work/original" >"$work/monitors"

# Links and compiles what is in a folder. Lists classes that could not be linked, and methods whose locking
# the JIT compiler does not accept.
link() { # folder, list of classes, list of methods
    "$jdk/bin/java" --patch-module java.base="$work/helper" -XX:+UnlockDiagnosticVMOptions \
        -XX:+BytecodeVerificationLocal -XX:+BytecodeVerificationRemote \
        -XX:+WhiteBoxAPI -Xbootclasspath/a:"$work/whitebox" -Xbatch \
        -Xlog:disable -Xlog:all=error:stderr -Xlog:monitormismatch=info:file="$work/mismatch.log":none \
        -cp "$work/link:$1" LinkAll "$work/names" "$2" "$work/monitors" >"$work/log" 2>&1 || true
    grep 'linked\|compiled' "$work/log"
    sort -u "$work/mismatch.log" >"$3"
}

"$tool" same "$work/original" || echo "(classes whose tables are not in the shortest form come out shorter)"
link "$work/original" "$work/missing" "$work/mismatches"
for mode in $(echo "$modes" | tr , ' '); do
    rm -rf "$work/new"
    "$tool" "$mode" "$work/original" "$work/new"
    link "$work/new" "$work/missing.new" "$work/mismatches.new"
    diff "$work/missing" "$work/missing.new"
    # Not an error: compilers other than javac may leave some instructions of a locked region without handler,
    # since they cannot throw. What is inserted there can.
    diff "$work/mismatches" "$work/mismatches.new" || echo "(methods that are not compiled any more)"
done
