#!/usr/bin/env bash
# inspect.sh: info, dump and verify of traces that are all right.
. "$(dirname "$0")/lib.sh"

record trace exit 3
expect_status 3
mkdir -p odd
odd=$(printf 'odd/\377 "quoted" \\')
run "$canon" record -o "$odd" -- "$JAVA" -cp "$CLASSES" Program arguments "$(printf '\377\376')"
expect_status 0

# json_lines EXPRESSION: every line of out is JSON, and the expression holds for the list of them
json_lines() {
  python3 - "$1" <<'PY' >why 2>&1 || fail "not what it should be: $1: $(tail -1 why)"
import json, sys
lines = [json.loads(line) for line in open("out", encoding="utf-8")]
assert eval(sys.argv[1])
PY
}

json_whole() {
  python3 - "$1" <<'PY' >why 2>&1 || fail "not what it should be: $1: $(tail -1 why)"
import json, sys
it = json.load(open("out", encoding="utf-8"))
assert eval(sys.argv[1])
PY
}

shows "verify"
run "$canon" verify trace
expect_status 0
expect_no_err
expect_out "whole"
events=$(sed -n 's/.* strands, \([0-9]*\) events.*/\1/p' out)
[ "${events:-0}" -gt 10 ] || fail "hardly any events"

shows "info"
run "$canon" info trace
expect_status 0
expect_no_err
expect_out "Program exit 3"
expect_out "ended: with status 3"
grep -qE "[12] threads?, [0-9]+ services?, [0-9]+ class loads?, [0-9]+ class initialisers?; events: $events$" out ||
  fail "not the strands"
! grep -q "(null)" out || fail "something is missing"

shows "info of the order of threads"
expect_out "order of threads: edges"
rm -rf ordered
run "$canon" record -o ordered --order=none -- "$JAVA" -cp "$CLASSES" Program exit 3
expect_status 3
run "$canon" info ordered
! grep -q "order of threads" out || fail "there is none"
run "$canon" info --json ordered
json_whole 'it["parts"][0]["order"] is None'
run "$canon" replay ordered
expect_status 3
for order in edges serial "serial --preempt=loops"; do
  rm -rf ordered
  # shellcheck disable=SC2086
  run "$canon" record -o ordered --order=$order -- "$JAVA" -cp "$CLASSES" Program exit 3
  expect_status 3
  run "$canon" info ordered
  expect_out "order of threads: ${order/ --preempt=/+}"
  run "$canon" replay ordered
  expect_status 3
done

shows "info --json"
run "$canon" info --json trace
expect_status 0
expect_no_err
json_whole 'it["exit"] == 3 and it["ended"] and it["signal"] == 0 and len(it["parts"]) == 1'
json_whole 'all(name in it["parts"][0] for name in ("services", "class_loads", "class_inits", "raw_bytes"))'
json_whole 'it["parts"][0]["threads"] >= 1 and not it["parts"][0]["cut_off"]'
json_whole "it['parts'][0]['events'] == $events"
json_whole 'it["parts"][0]["launcher"].endswith("/bin/java")'

shows "info of what the order of threads took"
rm -rf ordered
run "$canon" record --order=edges -o ordered -- "$JAVA" -cp "$CLASSES" Program exit 0
expect_status 0
run "$canon" info ordered
expect_status 0
expect_out "order of threads: edges; lanes: "
grep -qE "^  operations: [1-9][0-9]*; edges: [0-9]+, [1-9][0-9]* bytes of events, " out || fail "not the operations"
run "$canon" info --json ordered
json_whole 'it["parts"][0]["order"]["mode"] == "edges" and it["parts"][0]["order"]["operations"] > 0'
json_whole 'it["parts"][0]["order"]["lanes"] > 0 and it["parts"][0]["order"]["memory_bytes"] > 0'

shows "a part that is not there"
for part in 2 0 x; do
  run "$canon" info --part $part trace
  expect_failure "parts 1 to 1"
  run "$canon" dump --part $part trace
  expect_failure "parts 1 to 1"
done

shows "dump"
run "$canon" dump trace
expect_status 0
expect_no_err
expect_out 'strand "thread main"'
expect_out "java/io/FileOutputStream.writeBytes"
[ "$(grep -cE '^ *[0-9]+ ' out)" = "$events" ] || fail "not $events events"

shows "dump --strand"
run "$canon" dump --strand "thread main" trace
expect_status 0
[ "$(grep -c ^strand out)" = 1 ] || fail "other strands, too"
run "$canon" dump --strand nothing trace
expect_failure 'no strand "nothing"'

shows "dump --json"
run "$canon" dump --json trace
expect_status 0
expect_no_err
json_lines "len(lines) == $events"
json_lines 'all({"strand", "event", "kind", "name", "bytes", "items"} <= set(line) for line in lines)'
json_lines 'any("writeBytes" in line["name"] and line["items"] for line in lines)'
run "$canon" dump --json --strand "thread main" trace
json_lines '[line["event"] for line in lines] == list(range(len(lines)))'
json_lines '{line["strand"] for line in lines} == {"thread main"}'
json_lines 'lines[-1]["kind"] == "end"'

shows "a trace whose name is no text"
run "$canon" info --json "$odd"
expect_status 0
json_whole 'len(it["parts"]) == 1'
run "$canon" dump --json "$odd"
expect_status 0
json_lines 'len(lines) > 10'
run "$canon" verify "$odd"
expect_status 0

shows "output that cannot be written"
for command in "info" "info --json" "dump" "dump --json" "verify"; do
  last_command="canon $command trace >/dev/full"
  "$canon" $command trace >/dev/full 2>err
  status=$?
  : >out
  [ "$status" != 0 ] || fail "passes for a success"
done

finish
