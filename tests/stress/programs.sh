# shellcheck shell=bash disable=SC2034
# programs.sh: the real programs that stress runs and benchmarks use, each in one function. Sourced.
#
#   make_world NAME DIR JAVA_HOME SCALE
#
# makes DIR the world of a program: its working directory, with private copies of its jars in jars/ and its
# input in in/, so that all of it can be moved away. It sets the array `command`, the way to start the program
# there, and prints what is missing if it cannot. SCALE 1 is a run of a few seconds.
#
# The programs named NAME.sh start Debian's wrapper script, whose jars are the system's.

stress_here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

PROGRAMS=(jython fop batik xalan javac groovy clojure)
WRAPPED=(jython.sh fop.sh groovy.sh clojure.sh)
ALL_PROGRAMS=(hello "${PROGRAMS[@]}" "${WRAPPED[@]}")

make_world() {
  local name=$1 dir=$2 function from=$PWD status
  function=program_${name//./_}
  JAVA_HOME=$3
  scale=$4
  command=()
  declare -F "$function" >/dev/null || { echo "there is no program $name" && return 1; }
  rm -rf "$dir"
  mkdir -p "$dir/in" "$dir/jars" "$dir/home" "$dir/tmp"
  cd "$dir" || return
  "$function"
  status=$?
  cd "$from" && return $status
}

# The environment of every program, for `env -i`. Its JDK comes first on the path: wrapper scripts look there.
world_environment() {
  environment=("PATH=$2/bin:/usr/bin:/bin" "JAVA_HOME=$2" "HOME=$1/home" LC_ALL=C.UTF-8 TZ=Europe/Zurich)
}

# find_jdk VERSION: prints its home: $JAVA<VERSION>_HOME, or where Debian and others put JDKs
find_jdk() {
  local variable=JAVA$1_HOME home
  for home in ${!variable:+"${!variable}"} /usr/lib/jvm/*; do
    if [ -x "$home/bin/javac" ] && grep -qs "^JAVA_VERSION=\"$1[.\"]" "$home/release"; then
      realpath "$home"
      return 0
    fi
  done
  return 1
}

# Of a report of divergence, what fits into a line.
digest() {
  awk '/^canon: / && !first { sub(/^canon: /, ""); first = $0 }
       /^  strand: /   && !strand { sub(/^ *strand: */, ""); strand = $0 }
       /^  event: /    && !event { sub(/^ *event: */, ""); event = $0 }
       /^  expected: / && !expected { sub(/^ *expected: */, ""); expected = $0 }
       /^  actual: /   && !actual { sub(/^ *actual: */, ""); actual = $0 }
       END { if (expected) printf "%s %s: expected %s, did %s", strand, event, expected, actual
             else if (strand) printf "%s: %s %s: %s", first, strand, event, actual
             else print first }' "$1"
}

# ---- parts of a world -------------------------------------------------------------------------

inputs() { python3 "$stress_here/inputs.py" "$@"; }

# jars NAME...: copies of jars of /usr/share/java; the class path of them is in $class_path. A jar that is
# missing is an error: FOP and Xalan would go on with the JDK's own XML classes, another program.
jars() {
  local name
  class_path=
  for name; do
    [ -e "/usr/share/java/$name.jar" ] || { echo "/usr/share/java/$name.jar is missing" && return 1; }
    inputs jar "/usr/share/java/$name.jar" "jars/$name.jar"
    class_path+=${class_path:+:}jars/$name.jar
  done
}

wrapper() { [ -x "/usr/bin/$1" ] || { echo "/usr/bin/$1 is missing" && return 1; }; }

driver() { "$JAVA_HOME/bin/javac" --release 17 -d classes -cp "$class_path" "$stress_here/programs/$1"; }

# What all programs are started with.
java() { command=("$JAVA_HOME/bin/java" -Xmx1g -Djava.awt.headless=true -Djava.io.tmpdir=tmp "$@"); }

script() { cp "$stress_here/programs/$1" in/; }

# ---- the programs -----------------------------------------------------------------------------

program_hello() {
  class_path=.
  driver Hello.java && java -cp classes Hello
}

program_jython() {
  jars jython antlr3 antlr3-runtime stringtemplate4 asm asm-commons asm-util commons-compress guava icu4j jffi \
    jnr-constants jnr-ffi jnr-netdb jnr-posix jline2 netty-buffer netty-codec netty-common netty-handler \
    netty-resolver netty-transport jaxb-api || return
  script jython.py
  inputs text in/letters.txt "$scale"
  # The second option: or the first run writes a cache of packages that later runs read.
  java -cp "$class_path" -Dpython.home=in -Dpython.cachedir.skip=true org.python.util.jython in/jython.py \
    in/letters.txt "$scale"
}

program_jython_sh() {
  wrapper jython || return
  script jython.py
  inputs text in/letters.txt "$scale"
  command=(/usr/bin/jython -Dpython.cachedir.skip=true in/jython.py in/letters.txt "$scale")
}

# The PDF goes to stdout, where it is compared; its creation date and its random ID are in it.
program_fop() {
  jars fop-core fop-util fop-events fop xmlgraphics-commons batik-all commons-io commons-logging fontbox2 \
    xml-apis-ext serializer xalan2 xercesImpl xml-apis || return
  inputs fo in "$scale"
  java -cp "$class_path" org.apache.fop.cli.Main -fo in/document.fo -pdf -
}

program_fop_sh() {
  wrapper fop || return
  inputs fo in "$scale"
  command=(/usr/bin/fop -fo in/document.fo -pdf -)
}

program_batik() {
  jars batik-all xmlgraphics-commons xml-apis-ext xml-apis xercesImpl commons-io commons-logging || return
  driver Rasterise.java || return
  inputs svg in "$scale"
  java -cp "classes:$class_path" Rasterise in
}

program_xalan() {
  jars xalan2 serializer xercesImpl xml-apis || return
  script catalog.xsl
  inputs catalog in/catalog.xml "$scale"
  java -cp "$class_path" org.apache.xalan.xslt.Process -IN in/catalog.xml -XSL in/catalog.xsl
}

# -verbose tells, on stderr, of every file read and written, with times.
program_javac() {
  inputs java in "$scale"
  find in -name '*.java' | sort >in/sources
  command=("$JAVA_HOME/bin/javac" -J-Xmx1g -verbose -Xlint:all -d tmp/classes @in/sources)
}

program_groovy() {
  jars groovy-all || return
  script groovy.groovy
  inputs text in/letters.txt "$scale"
  java -cp "$class_path" groovy.ui.GroovyMain in/groovy.groovy in/letters.txt "$scale"
}

program_groovy_sh() {
  wrapper groovy || return
  script groovy.groovy
  inputs text in/letters.txt "$scale"
  command=(/usr/bin/groovy in/groovy.groovy in/letters.txt "$scale")
}

program_clojure() {
  jars clojure spec.alpha core.specs.alpha || return
  script clojure.clj
  inputs text in/letters.txt "$scale"
  java -cp "$class_path" clojure.main in/clojure.clj in/letters.txt "$scale"
}

program_clojure_sh() {
  wrapper clojure || return
  script clojure.clj
  inputs text in/letters.txt "$scale"
  command=(/usr/bin/clojure in/clojure.clj in/letters.txt "$scale")
}
