/* snippet.c: see snippet.h. */
#include "classfile/snippet.h"

#include "base/error.h"
#include "classfile/bytes.h"

/* Accounts for pops, then pushes. */
static void effect(struct canon_snippet *snippet, int pops, int pushes)
{
    snippet->depth += pushes - pops;
    if (snippet->depth > snippet->max_depth)
        snippet->max_depth = snippet->depth;
}

void canon_snippet_bytes(struct canon_snippet *snippet, const void *bytes, uint32_t length, int pops,
                         int pushes)
{
    if (snippet->error)
        return;
    if (length > CANON_SNIPPET_MAX - snippet->length) {
        snippet->error = CANON_E_LIMIT;
        return;
    }
    memcpy(snippet->bytes + snippet->length, bytes, length);
    snippet->length += length;
    effect(snippet, pops, pushes);
}

void canon_snippet_op(struct canon_snippet *snippet, enum canon_op opcode)
{
    uint8_t byte = (uint8_t)opcode;
    const struct canon_opcode *row = &canon_opcodes[byte];
    if (row->length != 1) {
        snippet->error = CANON_E_INVALID;
        return;
    }
    canon_snippet_bytes(snippet, &byte, 1, row->pops, row->pushes);
}

/* An opcode with a constant's index behind it. */
static void indexed(struct canon_snippet *snippet, uint8_t opcode, int index, int pops, int pushes)
{
    if (index <= 0 || index > UINT16_MAX) {
        if (!snippet->error)
            snippet->error = index < 0 ? index : CANON_E_INVALID;
        return;
    }
    uint8_t bytes[3] = {opcode};
    set_u2(bytes + 1, (uint32_t)index);
    canon_snippet_bytes(snippet, bytes, 3, pops, pushes);
}

void canon_snippet_constant(struct canon_snippet *snippet, int index, int slots)
{
    indexed(snippet, slots == 2 ? CANON_OP_LDC2_W : CANON_OP_LDC_W, index, 0, slots);
}

void canon_snippet_call(struct canon_snippet *snippet, const struct canon_call *call)
{
    indexed(snippet, CANON_OP_INVOKESTATIC, call->index, call->pops, call->pushes);
}

void canon_snippet_class_op(struct canon_snippet *snippet, enum canon_op opcode, int index)
{
    uint8_t byte = (uint8_t)opcode;
    indexed(snippet, byte, index, canon_opcodes[byte].pops, canon_opcodes[byte].pushes);
}

void canon_snippet_field(struct canon_snippet *snippet, enum canon_op opcode, int index, char type)
{
    int slots = type == 'J' || type == 'D' ? 2 : 1;
    int receiver = opcode == CANON_OP_GETFIELD || opcode == CANON_OP_PUTFIELD;
    if (opcode == CANON_OP_GETSTATIC || opcode == CANON_OP_GETFIELD)
        indexed(snippet, (uint8_t)opcode, index, receiver, slots);
    else
        indexed(snippet, (uint8_t)opcode, index, receiver + slots, 0);
}

/* Position of a type among the load and store instructions: I L F D A. */
static int type_order(char type)
{
    switch (type) {
    case 'J':
        return 1;
    case 'F':
        return 2;
    case 'D':
        return 3;
    case 'L':
    case '[':
        return 4;
    default:
        return 0; /* int and what is an int on the stack */
    }
}

static void access_local(struct canon_snippet *snippet, uint8_t opcode, uint8_t first_short, uint32_t local,
                         int order)
{
    uint8_t bytes[4];
    uint32_t length;
    if (local < 4) {
        bytes[0] = (uint8_t)(first_short + 4 * order + (int)local);
        length = 1;
    } else if (local < 256) {
        bytes[0] = (uint8_t)(opcode + order);
        bytes[1] = (uint8_t)local;
        length = 2;
    } else {
        bytes[0] = CANON_OP_WIDE;
        bytes[1] = (uint8_t)(opcode + order);
        set_u2(bytes + 2, local);
        length = 4;
    }
    const struct canon_opcode *row = &canon_opcodes[opcode + order];
    canon_snippet_bytes(snippet, bytes, length, row->pops, row->pushes);
}

void canon_snippet_load(struct canon_snippet *snippet, char type, uint32_t local)
{
    access_local(snippet, CANON_OP_ILOAD, CANON_OP_ILOAD_0, local, type_order(type));
}

void canon_snippet_store(struct canon_snippet *snippet, char type, uint32_t local)
{
    access_local(snippet, CANON_OP_ISTORE, CANON_OP_ISTORE_0, local, type_order(type));
}

void canon_snippet_append(struct canon_snippet *snippet, const struct canon_snippet *other)
{
    if (other->error && !snippet->error)
        snippet->error = other->error;
    if (snippet->depth + other->max_depth > snippet->max_depth)
        snippet->max_depth = snippet->depth + other->max_depth;
    canon_snippet_bytes(snippet, other->bytes, other->length, 0, 0);
    snippet->depth += other->depth;
}
