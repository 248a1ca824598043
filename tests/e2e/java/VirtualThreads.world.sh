check_trace() {
  "$canon" info "$trace" >"$results/info"
  [ "$(grep -c 'note: limit of the recording: the program started virtual threads' "$results/info")" = 1 ] ||
    fail "there is not one note about it"
}
