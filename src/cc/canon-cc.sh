#!/bin/sh
# canon-cc, canon-c++: the C or C++ compiler, for programs whose atomics canon orders (docs/design.md).
#
# All arguments are the compiler's, which is cc or c++, or what CANON_CC or CANON_CXX say. What is built runs without
# canon as well: its atomics are calls of libatomic.
here=$(dirname "$(readlink -f "$0")")
[ -e "$here/canon-atomics.h" ] && home=$here || home=$here/../lib/canon
case $0 in
  *++) compiler=${CANON_CXX:-c++} ;;
  *) compiler=${CANON_CC:-cc} ;;
esac
if $compiler -dM -E -x c /dev/null 2>/dev/null | grep -q __clang__; then
  # clang has no way to call functions for atomics, but ThreadSanitizer's: without its library, and atomics only.
  exec $compiler -Qunused-arguments -Xclang -fsanitize=thread -mllvm -tsan-instrument-memory-accesses=0 \
    -mllvm -tsan-instrument-func-entry-exit=0 -mllvm -tsan-instrument-memintrinsics=0 \
    -mllvm -tsan-handle-cxx-exceptions=0 "$@" -L"$home" -lcanon-atomics -latomic
fi
exec $compiler -fno-inline-atomics -include "$home/canon-atomics.h" "$@" -latomic
