# shellcheck shell=bash disable=SC2034
# native_programs.sh: the native programs that stress runs and benchmarks use, each in one function. Sourced.
#
#   native_world NAME DIR INPUTS SCALE
#
# makes DIR the world of a program: its working directory, with its input in in/. What takes long to make is made once, in
# INPUTS. It sets the array `command`, the way to start the program there; `order`, options of `canon record`; and for a
# server `port`, which it will listen on, `client`, what to run once it does, and `stop`, what ends it. It prints what is missing
# if it cannot. SCALE 1 is a run of a few seconds.

native_here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# The order of the issue of these programs; the last ones are the same in other ways.
NATIVES=(pbzip2 pigz xz zstd x264 sqlite memcached redis nginx apache2 ffmpeg python3)
NATIVE_WAYS=(sqlite-journal ffmpeg-file memcached-racy nginx2)

native_world() {
  local name=$1 from=$PWD status
  world=$2 inputs=$3 scale=$4
  command=() order=() client=() stop=() port=
  declare -F "native_${name//-/_}" >/dev/null || { echo "there is no program $name" && return 1; }
  rm -rf "$world"
  mkdir -p "$world/in" "$inputs" && cd "$world" || return
  "native_${name//-/_}"
  status=$?
  cd "$from" && return $status
}

NATIVE_ENVIRONMENT=(PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 TZ=Europe/Zurich HOME=/nonexistent)

# ---- parts of a world -------------------------------------------------------------------------

# program NAME...: each is there, in /usr
program() {
  local one
  for one; do
    [ -x "/usr/bin/$one" ] || [ -x "/usr/sbin/$one" ] || { echo "there is no $one (tests/support/packages.sh native)" && return 1; }
  done
}

# scaled NUMBER: that many at scale 1, at least one
scaled() { awk -v number="$1" -v scale="$scale" 'BEGIN { n = int(number * scale + 0.5); print n < 1 ? 1 : n }'; }

# data MEGABYTES: a file in/data
data() {
  local made
  made=$inputs/data$(scaled "$1")
  [ -e "$made" ] || /usr/bin/python3 "$native_here/inputs.py" data "$made" "$(scaled "$1")" || return
  cp "$made" in/data
}

# video FRAMES
video() {
  program ffmpeg || return
  [ -e "$inputs/video$1.y4m" ] || ffmpeg -v error -f lavfi -i "testsrc2=size=640x360:rate=25" -frames:v "$1" \
    -pix_fmt yuv420p -f yuv4mpegpipe "$inputs/video$1.y4m" </dev/null || return
  cp "$inputs/video$1.y4m" in/video.y4m
}

# built NAME [FLAGS...]: a program of programs/native; a replay needs it, so it is no part of the world
built() {
  local name=$1
  shift
  [ -x "$inputs/$name" ] || cc -std=gnu17 -D_GNU_SOURCE -O2 -pthread -o "$inputs/$name" "$native_here/programs/native/$name.c" "$@" || return
}

free_port() {
  port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
}

# racy NAME RUNS SCALE: sets `order`: a list of racing instructions, made of so many runs with small inputs, once; one thread at
# a time where there is no valgrind. `canon` is the program to make it with.
racy() {
  local list=$inputs/$1.racy run
  order=(--order=serial)
  [ -z "${discovering:-}" ] && command -v valgrind >/dev/null || return 0
  for ((run = 0; run < $2; run++)); do
    [ -e "$list" ] || (discover_once "$1" "$list.new" "$3") || return
  done
  [ -e "$list" ] || mv "$list.new" "$list"
  order=(--racy="$list")
}

# In a shell of its own: NAME LIST SCALE
discover_once() {
  local discovering=1
  native_world "$1" "$inputs/discover" "$inputs/small" "$3" || return
  (cd "$world" && exec env -i "${NATIVE_ENVIRONMENT[@]}" timeout -k 5 300 "$canon" discover --races -o "$2" -- "${command[@]}") \
    >"$2.out" 2>&1 </dev/null &
  with_load $! "$2.client" || { echo "canon discover failed: $(tail -n 1 "$2.out")"; return 1; }
}

# How it is recorded, in a word.
order_name() {
  case ${order[*]} in
    --racy=*) echo racy ;;
    *) echo "${order[*]#--order=}" ;;
  esac
}

# signal FILE NAME: ends the server whose number is in the file
signal() { stop=(sh -c "kill -$2 \$(cat $1)"); }

# ---- the programs -----------------------------------------------------------------------------

native_pbzip2() { program pbzip2 && data 24 && command=(pbzip2 -c -k -p2 -1 in/data); }
native_pigz() { program pigz && data 48 && command=(pigz -c -k -p 2 in/data); }
native_xz() { program xz && data 24 && command=(xz -1 -T2 --block-size=1MiB -c in/data); }
native_zstd() { program zstd && data 64 && command=(zstd -q -6 -T2 -B1MiB -c in/data); }

native_x264() {
  program x264 && video "$(scaled 200)" || return
  order=(--order=serial)
  command=(x264 --quiet --threads 2 --preset medium -o out.264 in/video.y4m)
}

native_ffmpeg() {
  video "$(scaled 300)" || return
  order=(--order=serial)
  command=(ffmpeg -v error -nostdin -i in/video.y4m -threads 2 -filter_threads 2 -c:v mpeg4 -vf hue=s=0,unsharp -f matroska pipe:1)
}

native_ffmpeg_file() {
  native_ffmpeg || return
  command=(ffmpeg -v error -nostdin -threads 2 -i in/video.y4m -threads 2 -c:v ffv1 -slices 4 -y out.mkv)
}

native_sqlite() {
  built ledger -lsqlite3 || return
  order=(--order=serial)
  command=("$inputs/ledger" ledger.db WAL 4 "$(scaled 2000)")
}

native_sqlite_journal() {
  built ledger -lsqlite3 || return
  command=("$inputs/ledger" ledger.db DELETE 4 "$(scaled 600)")
}

native_python3() {
  program python3 && data 16 || return
  order=(--order=serial)
  cp "$native_here/programs/native/work.py" in/
  command=(/usr/bin/python3 in/work.py in/data 4)
}

# ---- servers ----------------------------------------------------------------------------------

native_memcached() {
  program memcached && free_port || return
  order=(--order=serial)
  command=(memcached -u root -t 4 -p "$port" -U 0 -l 127.0.0.1 -A)
  client=(/usr/bin/python3 "$native_here/programs/native/cached.py" "$port" 4 "$(scaled 40000)")
  stop=(/usr/bin/python3 "$native_here/programs/native/cached.py" "$port" shutdown)
}

native_memcached_racy() { native_memcached && racy memcached-racy 4 0.1; }

native_redis() {
  program redis-server redis-benchmark redis-cli && free_port || return
  command=(redis-server --bind 127.0.0.1 --port "$port" --save '' --appendonly yes --dir .)
  client=(redis-benchmark -h 127.0.0.1 -p "$port" -c 8 -n "$(scaled 40000)" -t set,get,incr,lpush,lrange_100 -q)
  stop=(redis-cli -h 127.0.0.1 -p "$port" shutdown)
}

# site FILE: what is asked for
site() {
  mkdir -p site
  head -c 5000 /dev/zero | tr '\0' x >site/index.html
  client=(ab -q -n "$(scaled "$1")" -c 8 "http://127.0.0.1:$port/index.html")
}

native_nginx() {
  program nginx ab && free_port && site 40000 || return
  cat >in/nginx.conf <<CONF
daemon off;
user root;
worker_processes ${1:-1};
pid nginx.pid;
error_log stderr;
events { worker_connections 64; }
http {
  log_format all '\$remote_addr \$connection \$connection_requests \$msec \$request \$status \$body_bytes_sent \$request_time';
  access_log access.log all;
  client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
  server { listen 127.0.0.1:$port; root site; }
}
CONF
  command=(nginx -p . -c in/nginx.conf -e stderr)
  signal nginx.pid QUIT
}

native_nginx2() { native_nginx 2; }

# There are more threads than connections: what the parent does when it finds all of them busy, in memory that it shares with
# its child, does not replay (docs/limits.md).
native_apache2() {
  program apache2 ab && free_port && site 10000 || return
  local modules=/usr/lib/apache2/modules
  cat >in/apache2.conf <<CONF
ServerRoot .
ServerName 127.0.0.1
Listen 127.0.0.1:$port
PidFile apache2.pid
DefaultRuntimeDir .
User www-data
Group www-data
LoadModule mpm_event_module $modules/mod_mpm_event.so
LoadModule authz_core_module $modules/mod_authz_core.so
StartServers 1
ServerLimit 1
ThreadsPerChild 16
MaxRequestWorkers 16
MinSpareThreads 1
MaxSpareThreads 16
ErrorLog error.log
LogFormat "%h %t \"%r\" %>s %b %D" plain
CustomLog access.log plain
DocumentRoot site
CONF
  chmod 755 . site
  order=(--order=serial)
  command=(apache2 -d . -f in/apache2.conf -DFOREGROUND)
  signal apache2.pid TERM
}

# ---- running a server -------------------------------------------------------------------------

listens() { (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }

# with_load PID FILE: waits for a program that runs in the background, and returns its exit status. A server is asked as soon as
# it listens, and stopped when its client has ended, whose output goes to FILE, its exit status to FILE.status, and how many
# milliseconds it took to FILE.ms.
with_load() {
  local status i from
  server=$1
  if [ ${#client[@]} != 0 ]; then
    for ((i = 0; i < 200; i++)); do
      listens && break
      kill -0 "$server" 2>/dev/null || break
      sleep 0.05
    done
    from=$EPOCHREALTIME
    (cd "$world" && exec env -i "${NATIVE_ENVIRONMENT[@]}" timeout -k 5 "${CANON_STRESS_SECONDS:-120}" "${client[@]}") >"$2" 2>&1 </dev/null
    echo $? >"$2.status"
    awk -v from="$from" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.1f", 1000 * (to - from) }' >"$2.ms"
    (cd "$world" && exec env -i "${NATIVE_ENVIRONMENT[@]}" timeout -k 5 20 "${stop[@]}") >>"$2" 2>&1 </dev/null
  fi
  wait "$server"
  status=$?
  server=
  return $status
}

# For traps: the program that runs in the background ends with the script.
server=
end_server() { [ -z "$server" ] || kill "$server" 2>/dev/null; }
