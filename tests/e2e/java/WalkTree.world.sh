mkdir -p in/a/b in/c/d
echo 1 >"in/a/one-$NONCE"
echo two >in/a/b/two
echo three >in/c/d/three
ln -s ../.. in/c/d/up
