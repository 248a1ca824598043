# The library itself stays where it is: a replay loads it, and calls of it only what was not recorded.
command=("$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED "-Djava.library.path=$CLASSES/code/native"
  -cp classes NativeLibrary)

check_trace() {
  "$canon" info "$trace" >"$results/info"
  local name
  for name in clock read sample; do
    grep -q "third-party native, recorded: NativeLibrary.$name(" "$results/info" || fail "$name was not recorded"
  done
  grep -q "third-party native, run for real: NativeLibrary.sum(II)I" "$results/info" || fail "sum was recorded"
}
