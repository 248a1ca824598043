#!/bin/sh
# packages.sh SET: installs the Debian packages of a set that are missing. Sets: build, check, stress.
set -eu

build="cmake ninja-build gcc libc6-dev pkg-config openjdk-17-jdk-headless libzstd-dev libxxhash-dev zlib1g-dev libjansson-dev libcmocka-dev libdw-dev"
check="$build clang clang-format libclang-rt-14-dev python3 gdb"
stress="$check jython fop libfop-java libbatik-java libxalan2-java libxerces2-java groovy clojure gnuplot-nox libh2-java liblucene4.10-java libsunflow-java libjanino-java libjetty9-java libservlet-api-java apache2-utils util-linux"

case "${1:-build}" in
  build) wanted=$build ;;
  check) wanted=$check ;;
  stress) wanted=$stress ;;
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
install() { apt-get -qq -y install --no-install-recommends $missing >/dev/null; }
install 2>/dev/null || { apt-get -qq update && install; }
