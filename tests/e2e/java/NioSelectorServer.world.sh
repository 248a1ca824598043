during() {
  local port answer
  wait_for '^port ' "$OUT"
  port=$(sed -n 's/^port //p' "$OUT")
  exec 6<>"/dev/tcp/127.0.0.1/$port" 7<>"/dev/tcp/127.0.0.1/$port"
  for i in 1 2 3; do
    echo "six $i $NONCE" >&6
    echo "seven $i $NONCE" >&7
    read -r answer <&6
    echo "$answer"
    read -r answer <&7
    echo "$answer"
  done
  exec 6<&-
  exec 7<&-
}
