during() {
  wait_for 'name\?' "$OUT"
  echo canon >&8
  wait_for 'secret of' "$OUT"
  echo "$NONCE" >&8
}
