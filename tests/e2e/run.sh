#!/usr/bin/env bash
# Runs one end-to-end case:
#
#   run.sh CANON JAVA_HOME NAME MODE WORKDIR
#
# NAME is a program of java/, java/threads/ or java/races/, MODE one of
#   replay   record it, take its world away, replay it: stdout, stderr and exit status are equal
#   proof    record it, take its world away, let `canon replay` run the natives for real: something
#            differs. It proves that the replay case can fail.
#   limit    for programs that do what canon does not capture yet (`// limit: why`): a replay is equal, or
#            says so: by a divergence, or by a note; it is never silently another one. For those of
#            java/threads that `limit` is in threads.txt, and only a divergence will do: status 70.
#   serial   like replay, for those of java/threads: one thread runs at a time, --order=serial
#   order    record it and replay it without keeping the order of threads, until something differs; then replay
#            it with order, with random delays every other time. Says how often which of it was equal, in a
#            line for tests/stress/threads.sh. It gives up after ten replays that differ.
#   plain    no canon at all: two runs of the program meet its directives; says whether they differ
#
# How a program says what it needs (directives, worlds) is told in README.md beside this file.
#
# Environment: CANON_E2E_CLASSES  where compile.sh puts class files, shared by all cases of a JDK
#              CANON_E2E_REPLAYS  how many replays a recording gets (3)
#              CANON_E2E_SECONDS  after how long a recording or a replay counts as hanging (60)
#              CANON_E2E_RECORD   more options of `canon record`: --heap-digest, for replays that compare more
#              CANON_E2E_KEEP     set: keep the work directory of a case that passed
#
# Exit status: 0 passed, 1 failed (the work directory stays), 77 cannot be shown here, 2 usage.
set -u

if [ $# -ne 5 ]; then
  sed -n '2,28s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
canon=$(realpath -m "$1")
JAVA_HOME=$2
NAME=$3
mode=$4
WORK=$(realpath -m "$5")

here=$(cd "$(dirname "$0")" && pwd)
source_file="$here/java/$NAME.java"
[ -f "$source_file" ] || source_file="$here/java/threads/$NAME.java"
[ -f "$source_file" ] || source_file="$here/java/races/$NAME.java"
world_script="${source_file%.java}.world.sh"
CLASSES=${CANON_E2E_CLASSES:-$WORK.classes}
replays=${CANON_E2E_REPLAYS:-3}
limit_s=${CANON_E2E_SECONDS:-60}

WORLD="$WORK/world"         # working directory of the recorded program; gone at replay
gone="$WORK/gone"           # where the world is moved to
elsewhere="$WORK/elsewhere" # working directory of the replays; has to stay empty
results="$WORK/results"     # record.{out,err,status}, replay1.{out,err,status}, ...
trace="$WORK/trace"
NONCE=$(od -An -N8 -tx8 /dev/urandom | tr -d ' ') # what no other run can know
PORT=                                             # set by `serve`

# ---- messages ---------------------------------------------------------------------------------

say() { printf '%s: %s\n' "$NAME" "$*"; }

fail() {
  say "FAILED: $*"
  say "work directory: $WORK"
  exit 1
}

skip() {
  say "skipped: $*"
  rm -rf "$WORK"
  exit 77
}

# ---- directives: `// key: value` lines at the head of the program -----------------------------

expand() {
  local text=$1
  text=${text//@NONCE@/$NONCE}
  text=${text//@WORLD@/$WORLD}
  text=${text//@PORT@/$PORT}
  printf '%s\n' "$text"
}

# directive KEY: prints the value of every line with that key
directive() {
  local line
  sed -n "/^[^/]/q; s|^// $1: \{0,1\}||p" "$source_file" | while IFS= read -r line; do
    expand "$line"
  done
}

# ---- processes --------------------------------------------------------------------------------

ours=() # process groups to end, in whatever way this script ends

end_ours() {
  local group
  for group in "${ours[@]}"; do
    kill -KILL -- "-$group" 2>/dev/null
    { wait "$group"; } 2>/dev/null
  done
  ours=()
}

forget() {
  local group kept=()
  for group in "${ours[@]}"; do
    [ "$group" = "$1" ] || kept+=("$group")
  done
  ours=("${kept[@]}")
}
trap end_ours EXIT
trap 'exit 1' INT TERM HUP

# spawn CMD...: runs it in a process group of its own, with signals as a terminal would give them;
# its pid, which is its group's id too, is in $spawned
spawn() {
  set -m
  "$@" &
  spawned=$!
  set +m
  ours+=("$spawned")
}

# await PID: its exit status, or 124 after having ended it because it hangs
await() {
  local watchdog status
  set -m
  (
    sleep "$limit_s"
    : >"$WORK/hung"
    kill -KILL -- "-$1"
  ) 2>/dev/null &
  watchdog=$!
  set +m
  { wait "$1"; } 2>/dev/null
  status=$?
  kill -KILL -- "-$watchdog" 2>/dev/null
  { wait "$watchdog"; } 2>/dev/null
  kill -KILL -- "-$1" 2>/dev/null # what it may have left behind
  forget "$1"
  if [ -e "$WORK/hung" ]; then
    rm "$WORK/hung"
    return 124
  fi
  return "$status"
}

# ---- what worlds may call ---------------------------------------------------------------------

# serve CLASS ARG...: starts a server of java/support; it prints "port N" when it is ready, which is
# in $PORT then. The server ends with the world, or by itself after a while.
serve() {
  local log="$results/server.$1"
  spawn "$JAVA_HOME/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$CLASSES/support" "$@" \
    >"$log" 2>&1 </dev/null
  wait_for '^port ' "$log" || fail "server $1 does not start: $(cat "$log")"
  PORT=$(sed -n 's/^port //p' "$log")
}

# wait_for REGEX FILE: until a line of the file matches
wait_for() {
  local tries
  for ((tries = 0; tries < limit_s * 20; tries++)); do
    grep -Eq "$1" "$2" 2>/dev/null && return 0
    sleep 0.05
  done
  return 1
}

# code PATH...: copies class files or jars that the program loads at run time into the
# world's code/, which goes with the world, but is left in place for a proof
code() {
  local file
  mkdir -p "$WORLD/code"
  for file in "$@"; do
    cp -r "$CLASSES/code/$file" "$WORLD/code/"
  done
}

# ---- the world --------------------------------------------------------------------------------

make_world() {
  local line
  mkdir -p "$WORLD/in" "$WORLD/home" "$WORLD/tmp" "$WORLD/classes" "$elsewhere" "$results"
  cp "$CLASSES/programs/$NAME.class" "$WORLD/classes/"
  find "$CLASSES/programs" -maxdepth 1 -name "$NAME\$*.class" -exec cp {} "$WORLD/classes/" \;
  if [[ $source_file == */java/threads/* || $source_file == */java/races/* ]]; then
    cp "$CLASSES"/shared/*.class "$WORLD/classes/"
  fi
  printf 'first line\nnonce %s\nlast line\n' "$NONCE" >"$WORLD/in/data.txt"

  command=()
  if [ -f "$world_script" ]; then
    cd "$WORLD" || exit 1
    # shellcheck source=/dev/null
    . "$world_script"
    cd "$here" || exit 1
  fi
  if [ ${#command[@]} -eq 0 ]; then
    read -ra jvm <<<"$(directive jvm | tr '\n' ' ')"
    command=("$JAVA_HOME/bin/java" "${jvm[@]}" -cp classes "$NAME")
  fi
  read -ra arguments <<<"$(directive args | tr '\n' ' ')"
  command+=("${arguments[@]}")

  environment=(PATH=/usr/bin:/bin "HOME=$WORLD/home" "JAVA_HOME=$JAVA_HOME" LC_ALL=C.UTF-8 TZ=Asia/Kolkata)
  while IFS= read -r line; do
    environment+=("$line")
  done < <(directive env)
  directive stdin >"$results/stdin"
}

# The files are gone, the servers are gone. A proof keeps the code, else nothing would run at all.
remove_world() {
  end_ours
  mv "$WORLD" "$gone"
  if [ "$mode" = proof ]; then
    mkdir "$WORLD"
    mv "$gone/classes" "$WORLD/classes"
    [ -d "$gone/code" ] && mv "$gone/code" "$WORLD/code"
  fi
}

# Where the kernel lets us, replays live in a place with no network and another host name.
away=()
if unshare --net --uts --map-root-user true 2>/dev/null; then
  # shellcheck disable=SC2016
  away=(unshare --net --uts --map-root-user sh -c 'hostname elsewhere; exec "$@"' sh)
fi

# ---- running ----------------------------------------------------------------------------------

# on_terminal CMD...: CMD with a terminal as stdin and stdout that passes bytes on as they are
on_terminal() {
  script -qefc "stty raw -echo; exec $(printf '%q ' "$@") 2>$(printf '%q' "$stderr_file")" /dev/null
}

# feed_into FIFO: opens it by itself, because to open a pipe without a reader blocks
feed_into() { feed >"$1" 2>"$results/feed.log" </dev/null; }

# run_as LABEL CMD...: runs in the current directory; results are LABEL.out, LABEL.err, LABEL.status.
# Of the world's functions, `feed` writes what a recording reads from a pipe, `during` runs beside it.
run_as() {
  local label=$1 kind=record stdin_file companion=
  shift
  [[ $label == replay* ]] && kind=replay
  OUT="$results/$label.out"
  stderr_file="$results/$label.err"
  stdin_file="$results/stdin"
  [ $kind = replay ] && stdin_file=/dev/null
  : >"$OUT" && : >"$stderr_file"
  if [ "$(directive terminal)" = $kind ]; then
    rm -f "$results/typed"
    mkfifo "$results/typed"
    exec 8<>"$results/typed"
    spawn on_terminal "$@" <"$results/typed" >"$OUT" 2>"$stderr_file"
  elif [ $kind = record ] && declare -F feed >/dev/null; then
    rm -f "$results/fed"
    mkfifo "$results/fed"
    spawn feed_into "$results/fed"
    spawn "$@" <"$results/fed" >"$OUT" 2>"$stderr_file"
  else
    spawn "$@" <"$stdin_file" >"$OUT" 2>"$stderr_file"
  fi
  RECORDER=$spawned
  if [ $kind = record ] && declare -F during >/dev/null; then
    during >"$results/during.log" 2>&1 &
    companion=$!
  fi
  await "$RECORDER"
  echo $? >"$results/$label.status"
  if [ -n "$companion" ]; then
    kill "$companion" 2>/dev/null
    { wait "$companion"; } 2>/dev/null
  fi
}

run_in_world() {
  local label=$1
  shift
  cd "$WORLD" || exit 1
  run_as "$label" env -i "${environment[@]}" "$@"
  cd "$here" || exit 1
}

run_elsewhere() {
  local label=$1
  shift
  run_as "$label" env -i PATH=/usr/bin:/bin HOME=/nonexistent LC_ALL=C TZ=Pacific/Chatham \
    CANON_E2E_AWAY=1 "${away[@]}" "$@"
}

# ---- judging ----------------------------------------------------------------------------------

excerpt() { head -n 40 "$1" | sed 's/^/  | /'; }

# Does what was run meet the directives exit, stdout, stderr?
check_directives() {
  local label=$1 status expected pattern
  status=$(cat "$results/$label.status")
  expected=$(directive exit)
  if [ "$status" != "${expected:-0}" ]; then
    say "stdout:" && excerpt "$results/$label.out"
    say "stderr:" && excerpt "$results/$label.err"
    [ "$status" = 124 ] && fail "$label hung, ended after $limit_s s"
    fail "$label: exit status $status, expected ${expected:-0}"
  fi
  while IFS= read -r pattern; do
    grep -Eaq -- "$pattern" "$results/$label.out" || {
      excerpt "$results/$label.out"
      fail "$label: no line of stdout matches $pattern"
    }
  done < <(directive stdout)
  # Where the JVM has something to say of what canon does to it, the program's stdout gets it.
  if grep -Eaq '^\[[0-9.]+s\]\[(warning|error)' "$results/$label.out"; then
    excerpt "$results/$label.out"
    fail "$label: warnings of the JVM in stdout"
  fi
  if [ -z "$(directive stderr)" ] && [ -s "$results/$label.err" ]; then
    excerpt "$results/$label.err"
    fail "$label: stderr is not empty"
  fi
  while IFS= read -r pattern; do
    grep -Eaq -- "$pattern" "$results/$label.err" || {
      excerpt "$results/$label.err"
      fail "$label: no line of stderr matches $pattern"
    }
  done < <(directive stderr)
}

# Which of stdout, stderr, status differ between two runs; nothing when they are equal.
differences() {
  local part
  for part in out err status; do
    cmp -s "$results/$1.$part" "$results/$2.$part" || printf '%s ' "$part"
  done
}

show_differences() {
  local part
  for part in $3; do
    diff -a -u --label "$1.$part" --label "$2.$part" "$results/$1.$part" "$results/$2.$part" |
      cut -c 1-200 | head -n 60
  done
}

record() {
  [ -x "$canon" ] || fail "no canon at $canon"
  local options
  read -ra options <<<"$(directive record | tr '\n' ' ') ${CANON_E2E_RECORD:-}"
  if [ "$mode" = serial ]; then
    options+=(--order=serial)
  elif [[ $source_file == */java/threads/* ]]; then
    options+=(--order=edges)
  fi
  run_in_world record "$canon" record -o "$trace" "${options[@]}" -- "${command[@]}"
  check_directives record
  [ -d "$trace" ] || fail "the recording left no trace"
  if declare -F check_trace >/dev/null; then
    check_trace
  fi
}

check_nothing_written() {
  local left
  # .attach_pid*: somebody looked at the replay's JVM with jstack or the like
  left=$(find "$elsewhere" -mindepth 1 ! -name '.attach_pid*' | head)
  [ -z "$left" ] || fail "replay wrote files: $left"
  [ ! -e "$WORLD" ] || fail "replay wrote into the world that is gone: $(find "$WORLD" | head)"
}

mode_replay() {
  local round different
  record
  remove_world
  cd "$elsewhere" || exit 1
  for ((round = 1; round <= replays; round++)); do
    run_elsewhere "replay$round" "$canon" replay "$trace"
    different=$(differences record "replay$round")
    if [ -n "$different" ]; then
      show_differences record "replay$round" "$different"
      fail "replay $round of $replays differs from the recording in: $different"
    fi
    check_nothing_written
  done
}

mode_serial() { mode_replay; }

mode_limit() {
  local round different wanted
  wanted=$(directive limit-exit)
  record
  remove_world
  cd "$elsewhere" || exit 1
  for ((round = 1; round <= replays; round++)); do
    run_elsewhere "replay$round" "$canon" replay "$trace"
    different=$(differences record "replay$round")
    if [ -n "$different" ] && ! grep -aq '^canon: \(DIVERGENCE\|note\): ' "$results/replay$round.err"; then
      show_differences record "replay$round" "$different"
      fail "replay $round of $replays differs from the recording and does not say so: $different"
    fi
    if [ -n "$different" ] && [[ $source_file == */java/threads/* ]] &&
      [ "$(cat "$results/replay$round.status")" != 70 ]; then
      show_differences record "replay$round" "$different"
      fail "replay $round of $replays differs from the recording, and its exit status is not 70"
    fi
    if [ -n "$wanted" ] && [ "$(cat "$results/replay$round.status")" != "$wanted" ]; then
      excerpt "$results/replay$round.err"
      fail "replay $round of $replays: exit status $(cat "$results/replay$round.status"), expected $wanted"
    fi
    check_nothing_written
  done
}

mode_proof() {
  local different
  if [ "$(directive needs)" = namespaces ] && [ ${#away[@]} -eq 0 ]; then
    skip "only a place with another network and host name could show a difference; unshare(1) is not permitted here"
  fi
  record
  remove_world
  cd "$WORLD" || exit 1
  run_elsewhere replay1 env CANON_TEST_ENFORCE=off "$canon" replay "$trace"
  different=$(differences record replay1)
  if [ -z "$different" ]; then
    excerpt "$results/record.out"
    fail "a live run gives the same output as the recording: the replay case proves nothing"
  fi
  if grep -Eq 'Could not find or load main class|Unable to access jarfile|divergence' "$results/replay1.err"; then
    excerpt "$results/replay1.err"
    fail "the program did not run live, so nothing is proved"
  fi
  show_differences record replay1 "$different" >"$results/difference"
}

mode_order() {
  local round different status unordered=0 right=0 diverged=0 hung=0 silent=0
  record
  remove_world
  cd "$elsewhere" || exit 1
  for ((round = 1; round <= 10 && unordered == 0; round++)); do
    run_elsewhere replay_unordered env CANON_TEST_ORDER=off "$canon" replay "$trace"
    [ -z "$(differences record replay_unordered)" ] || unordered=$round
  done
  for ((round = 1; round <= replays && diverged + hung + silent < 10; round++)); do
    if ((round % 2)); then
      run_elsewhere replay "$canon" replay "$trace"
    else
      run_elsewhere replay env CANON_TEST_DELAYS="$round" "$canon" replay "$trace"
    fi
    different=$(differences record replay)
    if [ -z "$different" ]; then
      right=$((right + 1))
      continue
    fi
    status=$(cat "$results/replay.status")
    case $status in
      70) diverged=$((diverged + 1)) ;;
      124) hung=$((hung + 1)) ;;
      *) silent=$((silent + 1)) ;;
    esac
    if ((diverged + hung + silent == 1)); then
      show_differences record replay "$different" >"$results/difference"
    fi
  done
  say "unordered $unordered right $right diverged $diverged hung $hung silent $silent"
  [ "$unordered" != 0 ] && [ "$right" = "$replays" ] || exit 1
}

mode_plain() {
  local different
  run_in_world plain1 "${command[@]}"
  check_directives plain1
  end_ours
  rm -rf "$WORLD"
  NONCE=$(od -An -N8 -tx8 /dev/urandom | tr -d ' ')
  make_world
  run_in_world plain2 "${command[@]}"
  check_directives plain2
  different=$(differences plain1 plain2)
  say "two plain runs: ${different:-same}"
}

main() {
  [ -f "$source_file" ] || fail "no program $NAME in java/, java/threads/ or java/races/"
  "$here/compile.sh" "$JAVA_HOME" "$CLASSES" || fail "programs do not compile"
  rm -rf "$WORK"
  mkdir -p "$WORK"
  make_world
  case $mode in
    replay | limit | proof | serial | order | plain) "mode_$mode" ;;
    *) fail "unknown mode $mode" ;;
  esac
  cd /
  if [ -z "${CANON_E2E_KEEP:-}" ]; then
    rm -rf "$WORK"
  fi
}

main
