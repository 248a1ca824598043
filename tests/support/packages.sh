#!/bin/sh
# packages.sh SET: installs the Debian packages of a set that are missing. Sets: build, check, stress, native.
# No service is started: those of packages that would start one are told not to.
set -eu

build="cmake ninja-build gcc libc6-dev pkg-config openjdk-17-jdk-headless libzstd-dev libxxhash-dev zlib1g-dev libjansson-dev libcmocka-dev libdw-dev"
check="$build clang clang-format libclang-rt-14-dev python3 gdb valgrind"
stress="$check jython fop libfop-java libbatik-java libxalan2-java libxerces2-java groovy clojure gnuplot-nox libh2-java libderby-java libhsqldb-java liblucene4.10-java libsunflow-java libjanino-java libjetty9-java libnetty-java libjctools-java libcaffeine-java libzookeeper-java libservlet-api-java libtomcat10-java libactivemq-java jruby libjna-java apache2-utils util-linux"
native="$check pbzip2 pigz xz-utils zstd x264 libsqlite3-dev memcached redis-server redis-tools nginx-light apache2 apache2-utils ffmpeg util-linux"

case "${1:-build}" in
  build) wanted=$build ;;
  check) wanted=$check ;;
  stress) wanted=$stress ;;
  native) wanted=$native ;;
  *) echo "packages.sh: there is no set $1" >&2; exit 64 ;;
esac

missing=
for package in $wanted; do
  dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" != 0 ]; then
  echo "Please install (as root): apt-get install$missing" >&2
  exit 1
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  trap 'rm -f $policy' EXIT
  printf '#!/bin/sh\nexit 101\n' >$policy
  chmod 755 $policy
fi
install() { apt-get -qq -y install --no-install-recommends $missing >/dev/null; }
install 2>/dev/null || { apt-get -qq update && install; }
