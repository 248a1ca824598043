during() {
  local port i answer
  wait_for '^port ' "$OUT"
  port=$(sed -n 's/^port //p' "$OUT")
  for i in 1 2 3; do
    exec 7<>"/dev/tcp/127.0.0.1/$port"
    echo "knock $i $NONCE" >&7
    read -r answer <&7
    echo "$answer"
    exec 7<&-
  done
}
