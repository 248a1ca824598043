# shellcheck shell=bash disable=SC2034
# results.sh: what stress runs of real programs share: where results go, the table at the end. Sourced.

# open_results DIR: makes `results`, in which `table` has a line a program: name, a second column, how many were
# right, of how many, the first fault. Without DIR it is a new directory.
open_results() {
  keep=$1
  results=${1:-$(mktemp -d "${TMPDIR:-/tmp}/canon-stress.XXXXXX")}
  mkdir -p "$results/elsewhere" && chmod 755 "$results" || exit 1
  table=$results/table.tsv
  : >"$table"
}

# find_offline: the array `offline` is what to put before a command that must not see a network
find_offline() {
  local try
  offline=()
  for try in "unshare -n" "unshare -rn"; do
    if $try true 2>/dev/null; then
      read -ra offline <<<"$try"
      return
    fi
  done
  echo "this system permits no network namespaces: replays run where the network is"
}

seconds_since() { awk -v from="$1" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.1f", to - from }'; }

# close_results COLUMN WHAT: shows the table, whose second column is called so, and ends: with 1 if there were faults. The
# results stay then, or if the directory was given.
close_results() {
  local status
  echo
  {
    printf 'program\t%s\tright\tof\tfirst fault\n' "$1"
    cat "$table"
  } | awk -F '\t' '{ printf "%-15s %-9s %6s %5s  %s\n", $1, $2 ? $2 : "default", $3, $4, $5 }'
  awk -F '\t' -v what="$2" '{ right += $3; all += $4 } $5 != "" { bad++ } END {
    printf "\n%d of %d %s right; %d of %d programs without fault\n", right, all, what, NR - bad, NR; exit bad > 0 }' "$table"
  status=$?
  if [ $status = 0 ] && [ -z "$keep" ]; then
    rm -rf "$results"
  else
    echo "results: $results"
  fi
  exit $status
}
