#!/usr/bin/env bash
# full_disk.sh: the disk is full while a program is recorded: the program does not notice, the user is told
# once, and what was recorded can be replayed.
. "$(dirname "$0")/lib.sh"

mkdir disk
# on_disk SIZE CMD...: with a file system of that size at disk/. What is on it is kept in copy/.
on_disk() {
  local size=$1
  shift
  rm -rf copy
  last_command=$*
  timeout -k 5 "$limit_s" unshare -m sh -c 'size=$1; shift
    mount -t tmpfs -o size=$size none disk || exit 77
    "$@" >out 2>err
    status=$?
    cp -a disk copy
    exit $status' sh "$size" "$@"
  status=$?
}

# The program's own behaviour, whatever canon did.
expect_program() {
  expect_status 3
  expect_no_crash
  [ "$(grep -c '^block' out)" = 16 ] || fail "output is missing"
  [ "$(tail -1 out)" = "sum true" ] || fail "other output"
  ! grep -v '^canon: ' err | grep . || fail "something else is on standard error"
}

program=("$JAVA" -cp "$CLASSES" Program noise 800 3)

# Replays a recording that stopped early.
expect_cut_off() {
  cp out full.out
  run "$canon" verify "$1"
  expect_status 0
  expect_out "cut off"
  run "$canon" info "$1"
  expect_status 0
  expect_out "cut off"
  run "$canon" replay "$1"
  expect_status 71
  expect_no_crash
  expect_err "the recording ended here"
  cmp -s -n "$(size_of out)" out full.out || fail "other output"
  [ "$(grep -c '^block' out)" -ge "$2" ] || fail "it does not come far"
}

if unshare -m sh -c 'mount -t tmpfs -o size=64k none "$1"' sh "$work/disk" 2>/dev/null; then
  shows "a disk that becomes full"
  on_disk 5m "$canon" record -o disk/trace -- "${program[@]}"
  expect_program
  expect_err "no space left"
  expect_one_line
  expect_cut_off copy/trace 3

  for size in 4k 8k 16k 64k 300k 600k 900k 1200k; do
    shows "a disk of $size"
    on_disk $size "$canon" record -o disk/trace -- "${program[@]}"
    if [ "$size" = 4k ] && [ "$status" = 69 ]; then
      expect_failure "No space left" # no room for meta.json: nothing was started
      continue
    fi
    expect_program
    grep -q '^canon: ' err || fail "no word about it"
    expect_one_line
    run "$canon" replay copy/trace # whatever it holds
    expect_no_crash
    expect_status 69 71
  done
else
  echo "no file system can be mounted here: only the limit of a file's size is used"
fi

shows "a file that may not grow"
last_command="ulimit -f 300; canon record ..."
(
  trap '' XFSZ
  ulimit -f 300
  timeout -k 5 "$limit_s" "$canon" record -o limited -- "${program[@]}" 2>&1 >&3 | cat >&4
  exit "${PIPESTATUS[0]}"
) 3>&1 4>err | cat >out
status=${PIPESTATUS[0]}
expect_program
expect_err "no space left"
expect_one_line
expect_cut_off limited 1

finish
