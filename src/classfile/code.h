/*
 * code.h: reading a method's body: the Code attribute, its instructions, and descriptors.
 *
 *     struct canon_code code;
 *     struct canon_insn insn = {0};
 *     if (canon_code_open(cls, method, &code) > 0)
 *         while ((more = canon_code_next(&code, &insn)) > 0)
 *             ... insn.pc, insn.opcode, canon_insn_pool_index(&insn) ...
 */
#ifndef CANON_CLASSFILE_CODE_H
#define CANON_CLASSFILE_CODE_H

#include "base/error.h"
#include "classfile/class.h"
#include "classfile/opcode.h"

struct canon_code {
    const uint8_t *bytes;
    uint32_t length;
    uint16_t max_stack;
    uint16_t max_locals;
    const uint8_t *exceptions; /* 8 bytes each: start, end, handler, catch type */
    uint16_t exception_count;
    struct canon_attributes attributes;
};

/* 1 when the method has code, 0 when not (abstract, native), or an error. */
int canon_code_open(const struct canon_class *cls, const struct canon_member *method,
                    struct canon_code *code);

struct canon_insn {
    const uint8_t *at; /* the opcode, operands behind it */
    uint32_t pc;
    uint32_t length;
    uint8_t opcode;
};

/* The length of a switch or wide instruction at `pc`; 0: malformed. */
uint32_t canon_code_variable_length(const struct canon_code *code, uint32_t pc);

/* 1 and the next instruction, 0 at the end, CANON_E_FORMAT. Start with a zeroed instruction. */
static inline int canon_code_next(const struct canon_code *code, struct canon_insn *insn)
{
    uint32_t pc = insn->pc + insn->length;
    if (pc >= code->length)
        return 0;
    uint32_t length = canon_opcodes[code->bytes[pc]].length;
    if (length == 0)
        length = canon_code_variable_length(code, pc);
    if (length == 0 || length > code->length - pc)
        return CANON_E_FORMAT;
    insn->at = code->bytes + pc;
    insn->pc = pc;
    insn->length = length;
    insn->opcode = code->bytes[pc];
    return 1;
}

/* The constant that an instruction names; 0 when it names none. */
uint32_t canon_insn_pool_index(const struct canon_insn *insn);

/* A descriptor's parameters in stack slots (without a receiver), and the kind of its result: one of
 * V Z B C S I J F D L [ . CANON_E_FORMAT when it is not a method descriptor. */
struct canon_signature {
    uint16_t slots;
    char result;
};
int canon_signature_parse(struct canon_utf8 descriptor, struct canon_signature *signature);

/* Cuts the first type ("I", "[[J", "Ljava/lang/String;") off `rest`: 1; 0 when none is left or `rest`
 * stands at ')'; or CANON_E_FORMAT. */
int canon_descriptor_next(struct canon_utf8 *rest, struct canon_utf8 *type);

/* Stack slots of a value whose type starts with this character. */
static inline uint32_t canon_type_slots(char type)
{
    return type == 'J' || type == 'D' ? 2 : type == 'V' ? 0 : 1;
}

#endif
