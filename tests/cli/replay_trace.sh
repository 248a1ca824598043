#!/usr/bin/env bash
# replay_trace.sh: replaying what is no trace, or not all of one, or not what was recorded.
. "$(dirname "$0")/lib.sh"

limit_s=30
record good hello
expect_status 0
cp out hello.out
run "$canon" replay good
expect_status 0
cmp -s out hello.out || fail "the trace that the rest is made of does not replay"

# bad TITLE: a fresh copy of the good trace in bad/
bad() {
  shows "$1"
  rm -rf bad
  cp -a good bad
}

shows "what is no trace"
run "$canon" replay nowhere
expect_failure "nowhere: No such file or directory"
mkdir empty
run "$canon" replay empty
expect_failure "empty is not a trace"
mkdir foreign
echo '{"name": "something else"}' >foreign/meta.json
run "$canon" replay foreign
expect_failure "not that of a trace"
run "$canon" replay "$0"
expect_failure "not a trace"

bad "a meta.json that is cut"
truncate -s $(($(size_of bad/meta.json) / 2)) bad/meta.json
run "$canon" replay bad
expect_failure "meta.json"

bad "a trace of a newer format"
sed -i 's/"format": [0-9]*/"format": 99/; s/"canon": "[^"]*"/"canon": "7.5.0"/' bad/meta.json
run "$canon" replay bad
expect_failure "format 99"
expect_err "canon 7.5.0"

for file in process strand-0 names; do
  bad "$file of a newer format"
  flip bad/1/$file.chunks 8 0x02
  run "$canon" replay bad
  expect_failure "unknown format version"
done

bad "a trace without its part"
rm -r bad/1
run "$canon" replay bad
expect_failure "holds no program"

bad "a part without files"
rm bad/1/*
run "$canon" replay bad
expect_failure "no strand"

bad "a part without process"
rm bad/1/process.chunks
run "$canon" replay bad
expect_failure "how the process was started"

# A missing file may be told from the event that it is missed at.
bad "a part without names"
rm bad/1/names.chunks
run "$canon" replay bad
expect_status 69 70
expect_no_crash
bad "a part without the strand of its first thread"
rm bad/1/strand-0.chunks
run "$canon" replay bad
expect_status 70
expect_err "the trace is damaged"
expect_no_crash

bad "a part that is not there"
for part in 0 2 -1 one; do
  run "$canon" replay --part $part bad
  expect_failure "parts 1 to 1"
done

# Whatever is flipped, the replay does not pass for the recording.
for file in process names strand-0; do
  size=$(size_of good/1/$file.chunks)
  for offset in 0 9 16 18 22 24 28 32 36 40 48 52 $((size / 3)) $((size / 2)) $((size - 1)); do
    bad "byte $offset of $file flipped"
    flip bad/1/$file.chunks $offset
    run "$canon" replay bad
    expect_no_crash
    expect_status 69 70 71
    grep -q '^canon: ' err || fail "no word about it"
  done
done

for cut in 1 20 60 200; do
  bad "a strand that lacks its last $cut bytes"
  truncate -s -$cut bad/1/strand-0.chunks
  run "$canon" replay bad
  expect_status 71
  expect_err "the recording ended here"
  expect_no_crash
done

bad "a strand cut to nothing"
truncate -s 0 bad/1/strand-0.chunks
run "$canon" replay bad
expect_status 71
expect_err "the recording ended here"

shows "--check"
run "$canon" replay --check good
expect_status 0
expect_no_out
expect_err "the replay equals the recording"
bad "--check of a damaged trace"
flip bad/1/strand-0.chunks $(($(size_of bad/1/strand-0.chunks) - 1))
run "$canon" replay --check bad
expect_status 69 70
! grep -q "equals the recording" err || fail "it does not equal the recording"
bad "--check of a damaged trace whose end canon did not see"
flip bad/1/strand-0.chunks $(($(size_of bad/1/strand-0.chunks) - 1))
sed -i 's/"ended": true/"ended": false/' bad/meta.json
run "$canon" replay --check bad
expect_status 69 70
! grep -q "equals the recording" err || fail "it does not equal the recording"

bad "--check where canon did not see the end"
sed -i '/"exit"/d; s/"ended": true/"ended": false/' bad/meta.json
run "$canon" replay --check bad
expect_status 0
expect_err "equals the recording, of which canon did not see the exit status"

shows "a program whose own status is one of canon's"
for own in 69 70 71; do
  record "own$own" exit $own
  run "$canon" replay --check "own$own"
  expect_status 0
  expect_err "the replay equals the recording"
  expect_one_line
done
bad "a program whose own status is another one of canon's"
rm -r bad
cp -a own70 bad
sed -i 's/"exit": 70/"exit": 71/' bad/meta.json
run "$canon" replay --check bad
expect_status 70
expect_err "ended with status 70, the recording with 71"

shows "--quiet"
run "$canon" replay --quiet good
expect_status 0
expect_no_out
expect_no_err

bad "another exit status"
sed -i 's/"exit": 0/"exit": 5/' bad/meta.json
run "$canon" replay bad
expect_status 70
expect_err "DIVERGENCE"

finish
