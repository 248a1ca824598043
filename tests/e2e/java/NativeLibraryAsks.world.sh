code native/libprobe.so
command=("$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED -cp classes NativeLibraryAsks)

check_trace() {
  ! "$canon" info "$trace" | grep 'limit of' || fail "there are limits"
}
