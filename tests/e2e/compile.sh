#!/usr/bin/env bash
# Compiles every end-to-end program, and what their worlds are made of, once for one JDK:
#
#   compile.sh JAVA_HOME OUT
#
#   OUT/programs/   the programs under test (java/*.java, java/threads/*.java, java/races/*.java)
#   OUT/shared/     what the programs of java/threads and java/races have in common (java/threads/shared/*.java)
#   OUT/support/    servers that worlds start (java/support/*.java)
#   OUT/code/       what programs load at run time: lib/*.jar, mods/, agent.jar, native/*.so (java/code/*)
#   OUT/stamp       written last; while it is newer than every source nothing is done
set -eu

java_home=$1
out=$2
here=$(cd "$(dirname "$0")" && pwd)
jar=("$java_home/bin/jar" --create)

# Some programs use on purpose what javac warns of; it is heard only when it fails.
compile() {
  "$java_home/bin/javac" -nowarn -Xlint:none -proc:none -encoding UTF-8 "$@" >"$out/javac.log" 2>&1 || {
    cat "$out/javac.log" >&2
    exit 1
  }
}

mkdir -p "$out"
exec 9>"$out/lock"
flock 9
if [ -f "$out/stamp" ] && [ -z "$(find "$here/java" "$here/compile.sh" -newer "$out/stamp" -type f -print -quit)" ]; then
  exit 0
fi
rm -rf "$out/programs" "$out/shared" "$out/support" "$out/code" "$out/stamp"
mkdir -p "$out/code/lib"

release=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$java_home/release")
programs=()
for source in "$here"/java/*.java "$here"/java/threads/*.java "$here"/java/races/*.java; do
  only=$(sed -n 's|^// only: ||p' "$source")
  if [ -z "$only" ] || [ "$only" = "$release" ]; then
    programs+=("$source")
  fi
done
compile -d "$out/shared" "$here"/java/threads/shared/*.java
compile -cp "$out/shared" -d "$out/programs" "${programs[@]}"
compile -d "$out/support" "$here"/java/support/*.java

code="$here/java/code"
compile -d "$out/code/greeter" "$code"/greeter/Greeter.java
"${jar[@]}" --file "$out/code/lib/greeter.jar" -C "$out/code/greeter" .
compile -cp "$out/programs" -d "$out/code/service" "$code"/service/*.java
mkdir -p "$out/code/service/META-INF/services"
cp "$code/service/providers" "$out/code/service/META-INF/services/ServiceLoaderFromJar\$Voice"
"${jar[@]}" --file "$out/code/lib/service.jar" -C "$out/code/service" .
compile -d "$out/code/mods/canon.e2e" "$code"/module/module-info.java "$code"/module/canon/e2e/*.java
compile -d "$out/code/agent" "$code"/agent/*.java
"${jar[@]}" --file "$out/code/lib/agent.jar" --manifest "$code/agent/manifest" -C "$out/code/agent" .
mkdir -p "$out/code/native"
cc -shared -fPIC -O1 -I"$java_home/include" -I"$java_home/include/linux" -o "$out/code/native/libsensor.so" \
  "$code/native/sensor.c"
cc -shared -fPIC -O1 -I"$java_home/include" -I"$java_home/include/linux" -o "$out/code/native/libprobe.so" \
  "$code/native/probe.c"
cc -shared -fPIC -O1 -pthread -I"$java_home/include" -I"$java_home/include/linux" -o "$out/code/native/libshelf.so" \
  "$code/native/shelf.c"
touch "$out/stamp"
