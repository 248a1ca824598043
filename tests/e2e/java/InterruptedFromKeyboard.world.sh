feed() {
  sleep 20
}
during() {
  wait_for '^ready' "$OUT"
  kill -INT -- "-$RECORDER"
}
