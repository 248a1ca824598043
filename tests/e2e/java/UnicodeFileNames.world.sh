echo "größer $NONCE" >"in/Übergröße"
echo "楽 $NONCE" >"in/音楽"
