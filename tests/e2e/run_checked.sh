# run_checked.sh: for scripts that run several commands in the directory $work: what each prints, and how it ends.
limit_s=60

fail() {
  printf 'FAILED: %s\n' "$*"
  head -n 40 "$work/out" "$work/err"
  exit 1
}

# run CMD...: its output is in the files out and err
run() {
  timeout -k 5 "$limit_s" "$@" >"$work/out" 2>"$work/err" </dev/null
  status=$?
  [ "$status" != 124 ] || fail "hangs: $*"
}
