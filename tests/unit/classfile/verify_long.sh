#!/bin/sh
# verify_long.sh TOOL WORKDIR JDK... [-- JAR...]: all that verify_jdk.sh and verify_jars.sh can do, some ten
# minutes: every module of each JDK, rewritten in every way, and on each JDK every class of the jars.
set -eu
tool=$1 work=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)

jdks=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    jdks="$jdks $1"
    shift
done
[ $# -eq 0 ] || shift
for jdk in $jdks; do
    echo "== $jdk"
    "$here/verify_jdk.sh" "$tool" "$jdk" "$work/jdk" calls,nops,rules ALL
    [ $# -eq 0 ] || "$here/verify_jars.sh" "$tool" "$jdk" "$work/jars" calls,nops,rules "$@"
done
