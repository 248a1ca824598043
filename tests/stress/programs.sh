# shellcheck shell=bash disable=SC2034
# programs.sh: the real programs that stress runs and benchmarks use, each in one function. Sourced.
#
#   make_world NAME DIR JAVA_HOME SCALE
#
# makes DIR the world of a program: its working directory, with private copies of its jars in jars/ and its
# input in in/, so that all of it can be moved away. It sets the array `command`, the way to start the program
# there, and prints what is missing if it cannot. SCALE 1 is a run of a few seconds. A program with threads sets
# `order` to options of `canon record`; a server sets `client`: what to run once it has told its port.
#
# The programs named NAME.sh start Debian's wrapper script, whose jars are the system's.

stress_here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

PROGRAMS=(jython fop batik xalan javac groovy clojure)
WRAPPED=(jython.sh fop.sh groovy.sh clojure.sh)
THREADED=(h2 h2server derby hsqldb luindex lusearch sunflow xalan4 batik2 jython3 jctools caffeine jetty tomcat netty zookeeper activemq jruby jna)
GROWTH=(growth1 growth2 growth4 growth8 growth16 growth64)
ALL_PROGRAMS=(hello "${PROGRAMS[@]}" "${WRAPPED[@]}" "${THREADED[@]}")

make_world() {
  local name=$1 dir=$2 function from=$PWD status thread_count
  function=program_${name//./_}
  [[ ! $name =~ ^growth([0-9]+)$ ]] || function=program_growth thread_count=${BASH_REMATCH[1]}
  JAVA_HOME=$3
  scale=$4
  command=() order=() client=()
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

driver() {
  local source=$stress_here/programs/$1
  "$JAVA_HOME/bin/javac" --release 17 -d classes -cp "$class_path" -sourcepath "${source%/*}" "$source"
}

# What all programs are started with.
java() { command=("$JAVA_HOME/bin/java" -Xmx1g -Djava.awt.headless=true -Djava.io.tmpdir=tmp "$@"); }

script() { cp "$stress_here/programs/$1" in/; }

# threads: what the programs with threads have in common
threads() { order=(--order=edges) && driver "threads/$1"; }

# scaled NUMBER: that many at scale 1
scaled() { awk -v number="$1" -v scale="$scale" 'BEGIN { printf "%d", number * scale + 0.5 }'; }

# with_client PID OUT WORLD: waits for a program that runs in the background with its stdout in OUT, and returns its
# exit status. The client of a server runs as soon as that has told its port, with the port as last argument; its output
# goes to client.out beside OUT.
with_client() {
  local port= status
  background=$1
  while [ ${#client[@]} != 0 ] && [ -z "$port" ] && kill -0 "$1" 2>/dev/null; do
    port=$(sed -n 's/^port \([0-9]*\)$/\1/p' "$2")
    sleep 0.02
  done
  if [ -n "$port" ]; then
    (cd "$3" && exec env -i "${environment[@]}" timeout -k 5 "${CANON_STRESS_SECONDS:-600}" "${client[@]}" "$port") \
      >"$(dirname "$2")/client.out" 2>&1 </dev/null || echo "  the client failed: exit status $?"
  fi
  wait "$1"
  status=$?
  background=
  return $status
}

# For traps: the program that runs in the background, which has a process group of its own, ends with the script.
background=
end_background() { [ -z "$background" ] || kill "$background" 2>/dev/null; }

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

# ---- programs with threads: the order in which these meet shows in what they print -----------------------------

program_h2() {
  jars h2 && threads Bank.java &&
    java -cp "classes:$class_path" Bank "jdbc:h2:mem:bank;LOCK_TIMEOUT=20000" 4 "$(scaled 8000)"
}

program_h2server() {
  jars h2 && threads BankServer.java || return
  java -cp "classes:$class_path" Bank "jdbc:h2:tcp://127.0.0.1:PORT/mem:bank;LOCK_TIMEOUT=20000" 4 "$(scaled 3000)"
  client=("${command[@]}")
  java -cp "classes:$class_path" BankServer
}

program_derby() {
  jars derby && threads Till.java &&
    java -cp "classes:$class_path" Till "jdbc:derby:bank;create=true" 4 "$(scaled 2000)" "jdbc:derby:;shutdown=true"
}

program_hsqldb() {
  jars hsqldb && threads Till.java &&
    java -cp "classes:$class_path" Till "jdbc:hsqldb:file:bank;shutdown=true;hsqldb.tx=mvcc" 4 "$(scaled 8000)"
}

program_luindex() {
  jars lucene-core-4.10.4 lucene-analyzers-common-4.10.4 && threads Index.java || return
  inputs text in/lines.txt "$scale"
  java -cp "classes:$class_path" Index in/lines.txt tmp/index 3
}

program_lusearch() {
  jars lucene-core-4.10.4 lucene-analyzers-common-4.10.4 lucene-queryparser-4.10.4 lucene-queries-4.10.4 \
    lucene-sandbox-4.10.4 && threads Index.java && threads Search.java || return
  inputs text in/lines.txt 0.5
  inputs queries in/queries.txt 1
  "$JAVA_HOME/bin/java" -cp "classes:$class_path" Index in/lines.txt in/index 1 >/dev/null || return
  java -cp "classes:$class_path" Search in/queries.txt in/index 4 "$(scaled 10)"
}

program_sunflow() {
  jars sunflow janino commons-compiler && threads Render.java || return
  java -cp "classes:$class_path" Render "$(scaled 160)" 4
}

program_xalan4() {
  jars xalan2 serializer xercesImpl xml-apis && threads Transform.java || return
  script catalog.xsl
  inputs catalog in/catalog.xml 0.05
  java -cp "classes:$class_path" Transform in/catalog.xml in/catalog.xsl 4 "$(scaled 60)"
}

program_batik2() {
  jars batik-all xmlgraphics-commons xml-apis-ext xml-apis xercesImpl commons-io commons-logging &&
    threads Draw.java || return
  inputs svg in "$scale"
  java -cp "classes:$class_path" Draw in 2
}

program_jython3() {
  program_jython || return
  script threads/threads.py
  order=(--order=edges)
  java -cp "$class_path" -Dpython.home=in -Dpython.cachedir.skip=true org.python.util.jython in/threads.py "$scale"
}

program_jctools() {
  jars jctools-core && threads Queues.java && java -cp "classes:$class_path" Queues "$(scaled 10000)"
}

program_caffeine() {
  jars caffeine && threads Cache.java && java -cp "classes:$class_path" Cache 4 "$(scaled 40000)"
}

program_jetty() {
  jars jetty9-server jetty9-servlet jetty9-util jetty9-http jetty9-io jetty9-security jetty9-util-ajax servlet-api &&
    threads Shop.java || return
  [ -x /usr/bin/ab ] || { echo "/usr/bin/ab is missing" && return 1; }
  script threads/visit.sh
  client=(in/visit.sh "$(scaled 20000)")
  java -cp "classes:$class_path" Shop
}

program_netty() {
  jars netty-buffer netty-codec netty-codec-http netty-common netty-handler netty-resolver netty-transport jctools-core &&
    threads Desk.java || return
  [ -x /usr/bin/ab ] || { echo "/usr/bin/ab is missing" && return 1; }
  script threads/visit.sh
  client=(in/visit.sh "$(scaled 10000)")
  java -cp "classes:$class_path" Desk
}

program_jna() {
  jars jna && threads Natives.java || return
  java -cp "classes:$class_path" Natives "$(scaled 2000)"
}

program_jruby() {
  wrapper jruby || return
  script ruby.rb
  order=(--order=edges)
  command=(/usr/bin/jruby in/ruby.rb "$scale")
}

program_tomcat() {
  jars tomcat10-{catalina,coyote,servlet-api,util,util-scan,juli,api,jni,annotations-api,jaspic-api,el-api,jsp-api} &&
    threads Site.java || return
  [ -x /usr/bin/ab ] || { echo "/usr/bin/ab is missing" && return 1; }
  script threads/visit.sh
  client=(in/visit.sh "$(scaled 20000)")
  java -cp "classes:$class_path" Site tmp
}

program_activemq() {
  jars activemq-{broker,client,kahadb-store,openwire-legacy,protobuf} hawtbuf geronimo-jms_1.1_spec \
    geronimo-j2ee-management-1.1-spec slf4j-api slf4j-nop && threads Post.java || return
  java -cp "classes:$class_path" Post tmp "$(scaled 1000)"
}

program_zookeeper() {
  jars zookeeper zookeeper-jute slf4j-api metrics-core snappy-java commons-io && threads Keeper.java || return
  java -cp "classes:$class_path" Keeper 4 "$(scaled 300)"
  client=("${command[@]}")
  java -cp "classes:$class_path" Keeper tmp
}

# growthN: the same work with N threads
program_growth() {
  class_path=.
  threads Growth.java && java -cp classes Growth "$thread_count" "$(scaled 2000000)"
}
