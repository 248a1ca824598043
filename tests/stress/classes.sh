#!/usr/bin/env bash
# Rewrites every class of JDKs and jars, and lets JVMs link (and so verify) and run the result:
#
#   classes.sh TOOL [--jdk VERSION] [--modes LIST] [--results DIR] [JAR...]
#
#   TOOL            classfile_tool of the build: build/tests/unit/classfile/classfile_tool
#   --jdk VERSION   17 or 25; default: both, 25 where it is found (JAVA25_HOME, /usr/lib/jvm)
#   --modes LIST    modes of the tool, with commas in between (calls,nops,rules,order,all)
#   --results DIR   where classes and logs go; default: a new directory in $TMPDIR, which is removed if nothing failed
#   JAR...          default: all of /usr/share/java
#
# For each JDK: every module's classes take the place of the JDK's own, so that it starts and runs with them; then
# every class of the jars. What cannot be linked as it is (something it needs is missing) need not be when it is
# rewritten. Some 20 minutes for each JDK. Exit status: 0, 1 if something was wrong, 2 wrong usage.
set -u

usage() {
  sed -n '2,15s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

verify=$(cd "$(dirname "$0")/../unit/classfile" && pwd)
versions=() modes=calls,nops,rules,order,all results=''
[ $# -ge 1 ] || usage
tool=$(realpath -m "$1") && shift
while [ $# -gt 0 ]; do
  case $1 in
    --jdk) versions+=("${2:?}") && shift 2 ;;
    --modes) modes=${2:?} && shift 2 ;;
    --results) results=$(realpath -m "${2:?}") && shift 2 ;;
    -*) usage ;;
    *) break ;;
  esac
done
[ -x "$tool" ] || { echo "classes.sh: no classfile_tool at $tool" >&2 && exit 2; }
keep=$results
[ -n "$results" ] || results=$(mktemp -d "${TMPDIR:-/tmp}/canon-classes.XXXXXX")
mkdir -p "$results"

jars=("$@")
if [ $# = 0 ]; then # many are there under several names
  mapfile -t jars < <(find /usr/share/java -name '*.jar' -exec realpath {} + 2>/dev/null | sort -u)
fi

# The home of a JDK of this version; nothing if there is none.
jdk_home() {
  local variable=JAVA${1}_HOME home
  for home in "${!variable:-}" /usr/lib/jvm/*"$1"*; do
    if [ -n "$home" ] && [ -x "$home/bin/jimage" ] && grep -q "^JAVA_VERSION=\"$1[.\"]" "$home/release"; then
      echo "$home"
      return
    fi
  done
}

failed=0
# step NAME COMMAND...
step() {
  local name=$1 start=$SECONDS
  shift
  if "$@" >"$results/$name.log" 2>&1; then
    echo "$name: right, $((SECONDS - start)) s"
    grep -E 'classes/s|linked' "$results/$name.log" | sed 's/^/  /'
  else
    echo "$name: WRONG; the end of $results/$name.log:"
    tail -n 40 "$results/$name.log"
    failed=1
  fi
  rm -rf "${results:?}/work"
}

for version in "${versions[@]:-17 25}"; do
  for one in $version; do
    jdk=$(jdk_home "$one")
    [ -n "$jdk" ] || { echo "no JDK $one found (JAVA${one}_HOME)" && continue; }
    step "jdk$one" "$verify/verify_jdk.sh" "$tool" "$jdk" "$results/work" "$modes" ALL
    [ ${#jars[@]} = 0 ] ||
      step "jars$one" "$verify/verify_jars.sh" "$tool" "$jdk" "$results/work" "$modes" "${jars[@]}"
  done
done
[ -n "$keep" ] || [ $failed = 1 ] || rm -rf "$results"
exit $failed
