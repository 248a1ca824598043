/*
 * decode.h: how long an x86-64 instruction is, and as much of what it does as moving it elsewhere takes.
 *
 * No disassembler: system-call instructions are looked for in all code of libc when a program starts, and
 * that may take milliseconds, not a second. Knows nothing of processes: bytes in, lengths out.
 */
#ifndef CANON_NATIVE_DECODE_H
#define CANON_NATIVE_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum canon_insn_kind {
    CANON_INSN_PLAIN,   /* does the same elsewhere */
    CANON_INSN_SYSCALL, /* 0f 05 */
    CANON_INSN_RIP,     /* addresses memory relative to itself: `field` is where the 4 bytes are */
    CANON_INSN_JUMP,    /* jmp, to `target` */
    CANON_INSN_BRANCH,  /* jcc, to `target`; `condition` */
    CANON_INSN_FIXED,   /* cannot be moved: calls, loops; `target` if it has one */
};

struct canon_insn {
    uint8_t size;
    enum canon_insn_kind kind;
    uint8_t field;     /* RIP */
    uint8_t condition; /* BRANCH: low half of the opcode */
    bool has_target;
    int64_t target;    /* relative to the beginning of the instruction */
    bool sets_eax;     /* mov $imm32, %eax or %rax: */
    int32_t eax;       /* the constant */
    bool is_padding;   /* nop or int3 */
    uint8_t map;       /* of opcodes: 1, or 2 behind a byte 0f; 0: another one, or with a vector prefix */
    uint8_t opcode_at; /* where it is, behind prefixes */
    uint8_t modrm_at;  /* where its operands are described; 0: nowhere */
};

/* False: these bytes are no instruction, or it is longer than `size`. */
bool canon_insn_decode(const uint8_t *code, size_t size, struct canon_insn *insn);

#endif
