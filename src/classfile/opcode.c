/* opcode.c: the table of opcode.h as data; what is not listed has kind CANON_KIND_INVALID. */
#include "classfile/opcode.h"

const struct canon_opcode canon_opcodes[256] = {
#define X(number, name, length, kind, pops, pushes) [number] = {length, CANON_KIND_##kind, pops, pushes},
    CANON_OPCODES(X)
#undef X
};
