echo "-Xshare:on -XX:SharedArchiveFile=none.jsa" >options
command=("$JAVA_HOME/bin/java" @options "-Xlog:gc*:file=gc.log" -XX:DumpLoadedClassList=classes.list -cp classes
  LaunchArchives)

check_trace() {
  "$canon" info "$trace" >"$results/info"
  local option
  for option in -Xshare:on -XX:SharedArchiveFile=none.jsa -XX:ArchiveClassesAtExit=made.jsa; do
    grep -qxF "  note: option left out: $option" "$results/info" || fail "no note about $option"
  done
  [ "$(grep -c 'option left out' "$results/info")" = 3 ] || fail "other options were left out, too"
}
