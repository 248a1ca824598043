#!/usr/bin/env bash
# inspect_damaged.sh: info, dump and verify of traces that are not all right. Needs no JVM, so that it also
# runs with a canon that is built with sanitizers.
. "$(dirname "$0")/lib.sh"
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 # the commands leave freeing to the end of the process

"$MAKE_TRACE" good || fail "cannot make a trace"
"$MAKE_TRACE" torn torn || fail "cannot make a torn trace"

# look TRACE STATUS...: every command gives one of these, and does not crash
look() {
  local trace=$1 command
  shift
  for command in "verify" "info" "info --json" "dump" "dump --json"; do
    run "$canon" $command "$trace"
    expect_no_crash
    expect_status "$@"
    [ "$status" = 0 ] || grep -q '^canon: ' err || fail "no word about it"
  done
}

shows "a good trace"
look good 0
run "$canon" verify good
expect_out whole
run "$canon" info good
expect_out "java/x.y()V"
run "$canon" dump good
expect_out '/some/path'
expect_out '\xff'

shows "a torn trace"
look torn 0
run "$canon" verify torn
expect_out "cut off"
run "$canon" info torn
expect_out "cut off"
run "$canon" dump torn
expect_out "(cut off)"
run "$canon" info --json torn
expect_out '"cut_off": true'

shows "what is no trace"
mkdir empty
look empty 69
look nowhere 69
look "$0" 69

bad() {
  shows "$1"
  rm -rf bad
  cp -a good bad
}

for file in $(ls good/1); do
  bad "a trace without $file"
  rm "bad/1/$file"
  look bad 0 69
done
bad "a part that is a file"
rm -r bad/1
echo x >bad/1
look bad 0 69
bad "a part that is empty"
rm bad/1/*
look bad 69

# verify notices every flipped bit; the others may not look everywhere.
for path in good/1/*; do
  file=$(basename "$path") size=$(size_of "$path")
  step=$((size > 400 ? size / 25 : 17))
  for offset in $(seq 0 $step $((size - 1))) 22 23 28 48 52; do
    [ "$offset" -lt "$size" ] || continue
    bad "byte $offset of $file flipped"
    flip "bad/1/$file" "$offset" 0x40
    run "$canon" verify bad
    expect_no_crash
    expect_status 69
    run "$canon" dump bad
    expect_no_crash
    expect_status 0 69
    run "$canon" info bad
    expect_no_crash
    expect_status 0 69
  done
done

for offset in 0 5 8 12 16 17 20 24 28 4096 4097 4100; do
  shows "byte $offset of a live file flipped"
  rm -rf bad
  cp -a torn bad
  for file in bad/1/*.live; do
    flip "$file" "$offset" 0x81
  done
  look bad 0 69
done

bad "a FIFO in the place of a file"
rm bad/1/notes.chunks
mkfifo bad/1/notes.chunks
limit_s=5
look bad 69
limit_s=60

bad "a link to itself in the place of a file"
ln -sf names.chunks bad/1/names.chunks
look bad 69

finish
