during() {
  wait_for '^ready' "$OUT"
  kill -INT "$RECORDER"
}
