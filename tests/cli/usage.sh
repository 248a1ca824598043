#!/usr/bin/env bash
# usage.sh: the command line itself: help that fits a screen, and what is said of words that make no sense.
. "$(dirname "$0")/lib.sh"

shows "no command"
run "$canon"
expect_usage "canon record"

shows "help"
for word in --help -h help; do
  run "$canon" $word
  expect_status 0
  expect_no_err
  [ "$(wc -l <out)" -le 24 ] || fail "help has $(wc -l <out) lines: more than a screen"
  [ "$(wc -L <out)" -le 110 ] || fail "help has lines of $(wc -L <out) columns"
  for command in record replay info dump verify pack debug discover prepare; do
    expect_out "canon $command"
  done
  expect_out "Exit status"
done

shows "version"
run "$canon" --version
expect_status 0
expect_no_err
grep -qxE 'canon [0-9]+\.[0-9]+\.[0-9]+' out || fail "not a version"

shows "a command that does not exist"
run "$canon" rewind
expect_usage "no command rewind"
run "$canon" ""
expect_usage "no command"
run "$canon" --verbose
expect_usage "--verbose"

for command in record replay info dump verify pack debug discover; do
  shows "help of $command"
  for word in --help -h; do
    run "$canon" $command $word
    expect_status 0
    expect_no_err
    expect_out "usage: canon $command"
  done
  shows "$command without what it is about"
  run "$canon" $command
  expect_usage "usage: canon $command"
  shows "$command with an option that it does not have"
  run "$canon" $command --frobnicate x
  expect_usage "unknown option --frobnicate"
  expect_err "usage: canon $command"
done

shows "prepare"
run "$canon" prepare --help
expect_status 0
expect_out "usage: canon prepare"
run "$canon" prepare --frobnicate
expect_usage "unknown option --frobnicate"
run "$canon" prepare one two
expect_usage "usage: canon prepare"
run "$canon" prepare --order=random
expect_usage "--order=random"
XDG_CACHE_HOME=$work/cache run "$canon" prepare /bin/true
expect_failure "/bin/true is no java launcher"
HOME= XDG_CACHE_HOME= run "$canon" prepare
expect_failure "HOME is not set"

for command in replay info dump verify pack debug; do
  shows "$command of two traces"
  run "$canon" $command one two
  expect_usage "usage: canon $command"
done

shows "an option without its value"
run "$canon" record -o
expect_usage "-o needs a value"
run "$canon" dump --strand
expect_usage "--strand needs a value"
run "$canon" replay --part
expect_usage "--part needs a value"

shows "a value for an option that takes none"
run "$canon" dump --json=yes x
expect_usage "--json=yes"

shows "record without a command"
run "$canon" record -o trace
expect_usage "usage: canon record"
run "$canon" record -o trace --
expect_usage "usage: canon record"
[ ! -e trace ] || fail "a trace was made of nothing"

shows "natives that cannot be"
for pattern in "" read .read Sensor. "a.b,c.d" "a.b()" "a:b.c" "org/example/Sensor.read"; do
  run "$canon" record -o trace --native "$pattern" -- true
  expect_usage "a class and a method are needed"
done
[ ! -e trace ] || fail "a trace was made of nothing"

shows "orders that there are not"
for order in "" edge SERIAL serial+loops; do
  run "$canon" record -o trace "--order=$order" -- true
  expect_usage "there are edges, serial and none"
done
for option in --preempt=all "--order=edges --preempt=loops" --preempt=loops; do
  # shellcheck disable=SC2086
  run "$canon" record -o trace $option -- true
  expect_usage "only --preempt=loops, with --order=serial"
done
[ ! -e trace ] || fail "a trace was made of nothing"

finish
