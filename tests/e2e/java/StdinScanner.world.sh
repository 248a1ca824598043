feed() {
  echo a 1 b
  sleep 0.1
  echo 2 c 3
  sleep 0.1
  echo "$NONCE"
}
