ln -s data.txt "in/link-$NONCE"
