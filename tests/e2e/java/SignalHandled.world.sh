during() {
  wait_for '^ready' "$OUT"
  kill -HUP "$RECORDER"
}
