during() {
  wait_for '^ready' "$OUT"
  kill -TERM "$RECORDER"
}
