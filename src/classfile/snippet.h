/*
 * snippet.h: a few straight-line instructions to be inserted somewhere.
 *
 * A snippet counts how far the stack grows above the depth it starts at. Errors stick to it and come
 * out when it is used, so that a sequence can be written down without checks in between.
 *
 *     struct canon_snippet s;
 *     canon_snippet_start(&s);
 *     canon_snippet_constant(&s, string_index, 1);
 *     canon_snippet_call(&s, &enter);
 *     canon_snippet_store(&s, 'J', token);
 */
#ifndef CANON_CLASSFILE_SNIPPET_H
#define CANON_CLASSFILE_SNIPPET_H

#include "classfile/opcode.h"

#include <stdint.h>

enum { CANON_SNIPPET_MAX = 240 };

struct canon_snippet {
    int error;     /* 0 or CANON_E_... */
    int depth;     /* of the stack, relative to the start */
    int max_depth; /* at least 0 */
    uint32_t length;
    uint8_t bytes[CANON_SNIPPET_MAX];
};

/* A method to call: a constant's index, and what the call takes from and puts on the stack. */
struct canon_call {
    uint16_t index;
    uint16_t pops;
    uint8_t pushes;
    char result; /* first character of the type it returns */
};

static inline void canon_snippet_start(struct canon_snippet *snippet)
{
    snippet->error = 0;
    snippet->depth = 0;
    snippet->max_depth = 0;
    snippet->length = 0;
}

/* An instruction without operands. */
void canon_snippet_op(struct canon_snippet *snippet, enum canon_op opcode);
/* Loads a constant of 1 or 2 slots: Integer, Long, String, Class, ... A negative index, as the editor
 * returns it for an error, makes the snippet fail with that error. */
void canon_snippet_constant(struct canon_snippet *snippet, int index, int slots);
void canon_snippet_load(struct canon_snippet *snippet, char type, uint32_t local);
void canon_snippet_store(struct canon_snippet *snippet, char type, uint32_t local);
/* An invokestatic. */
void canon_snippet_call(struct canon_snippet *snippet, const struct canon_call *call);
/* NEW, CHECKCAST, INSTANCEOF or ANEWARRAY of a class constant. */
void canon_snippet_class_op(struct canon_snippet *snippet, enum canon_op opcode, int index);
/* A field access; `type` is the first character of the field's descriptor. */
void canon_snippet_field(struct canon_snippet *snippet, enum canon_op opcode, int index, char type);
/* Bytes made elsewhere, with the stack effect the caller knows of. */
void canon_snippet_bytes(struct canon_snippet *snippet, const void *bytes, uint32_t length, int pops,
                         int pushes);
void canon_snippet_append(struct canon_snippet *snippet, const struct canon_snippet *other);

#endif
