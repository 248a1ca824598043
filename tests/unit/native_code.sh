#!/bin/bash
# native_code.sh TOOL: the lengths of all instructions of libc and the loader, against objdump's.
set -eu -o pipefail
for library in $(ldd /bin/sh | grep -o '/[^ ]*\(libc\.so\.6\|ld-linux-x86-64\.so\.2\)'); do
  objdump -d --insn-width=16 "$library" |
    awk -F'\t' '/^ +[0-9a-f]+:\t/ && $3 !~ /\(bad\)/ { gsub(/ /, "", $2); print $2 }' | "$1"
done
