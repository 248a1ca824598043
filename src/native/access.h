/*
 * access.h: what an instruction does to memory, for those that canon does in an order of their own (racy.c):
 * one operand in memory, found by general registers. Knows nothing of processes.
 */
#ifndef CANON_NATIVE_ACCESS_H
#define CANON_NATIVE_ACCESS_H

#include "native/decode.h"

enum canon_access_kind {
    CANON_ACCESS_NONE,  /* no memory, or not like that */
    CANON_ACCESS_LOAD,  /* only reads: what was read can be handed to it from elsewhere */
    CANON_ACCESS_WRITE, /* writes, and may read before */
};

struct canon_access {
    enum canon_access_kind kind;
    uint8_t size; /* bytes in memory: 1, 2, 4, 8 or 16 */
    bool locked;  /* it is atomic */
    bool aligns;  /* asks for an address that is a multiple of 16 */
};

/* `insn` is what canon_insn_decode has made of `code`. False: it is not one of those. */
bool canon_access_of(const uint8_t *code, const struct canon_insn *insn, struct canon_access *access);

/* Bytes of an instruction that is put together; at most this many. */
enum { CANON_ACCESS_MOST = 24 };

/*
 * The same instruction with (%rsp) for its operand in memory; returns its size, 0 if it cannot be: it uses
 * the stack pointer otherwise.
 */
size_t canon_access_from_stack(const uint8_t *code, const struct canon_insn *insn,
                               const struct canon_access *access, uint8_t *made);

/*
 * lea of its operand in memory to %rdi, when the stack pointer is `lowered` bytes below what it is for the
 * instruction. Returns its size; at `*field`, if that is not 0, are the 4 bytes of a distance from the end of
 * what is made to `*target` (relative to the beginning of the instruction).
 */
size_t canon_access_address(const uint8_t *code, const struct canon_insn *insn, int32_t lowered,
                            uint8_t *made, size_t *field, int64_t *target);

#endif
