/*
 * code.h: code of the program's that is rewritten: what is known of it, and code that is written elsewhere in
 * place of some of its instructions. For patch.c and racy.c.
 *
 *   window      bytes that give way to a jump, with the instruction that matters in them
 *   trampoline  what the jump leads to: the window's instructions, moved, and what canon adds
 *   target      a byte that something jumps to: only the first of a window may be one
 */
#ifndef CANON_NATIVE_CODE_H
#define CANON_NATIVE_CODE_H

#include "native/decode.h"
#include "native/patch.h"

#include <string.h>

enum {
    CANON_NEIGHBOURS = 6, /* instructions in front that are remembered */
    CANON_WINDOW_MIN = 5, /* bytes of a jump */
    CANON_AROUND = 1024,  /* bytes in front of a place from which on to decode */
};

struct canon_window {
    const uint8_t *from, *to; /* bytes that are replaced */
    const uint8_t *site;      /* the instruction in them */
    uint8_t size;             /* of that */
};

struct canon_object {
    const uint8_t *from, *to; /* its code */
    uint8_t *targets;         /* one bit a byte: something jumps there */
    uint8_t *pages;           /* one bit for 4 KiB: targets matter there; NULL: everywhere */
    enum canon_origin origin;
    int file; /* that has it at `offset`; -1: not known */
    size_t offset;
    uint8_t *trampoline, *trampoline_end; /* what is left of its trampolines */
};

/* The latest instructions, each directly behind the one before; the one with number n is at n %
 * CANON_NEIGHBOURS. */
struct canon_neighbours {
    struct canon_neighbour {
        const uint8_t *at;
        struct canon_insn insn;
    } last[CANON_NEIGHBOURS];
    unsigned count;
};

/* The n-th in front, from 1 on; NULL if that is not known. */
static inline const struct canon_neighbour *canon_neighbour(const struct canon_neighbours *before, unsigned n)
{
    return n > before->count || n > CANON_NEIGHBOURS ? NULL
                                                     : &before->last[(before->count - n) % CANON_NEIGHBOURS];
}

void canon_neighbours_add(struct canon_neighbours *before, const uint8_t *at, const struct canon_insn *insn);

/* Decodes from `from` on; whether an instruction begins at `to`. What is in front of it is remembered. */
bool canon_object_arrives(const struct canon_object *object, const uint8_t *from, const uint8_t *to,
                          struct canon_neighbours *before);
/* From where on to decode for what is around `at`: instructions are found where they are by then. */
const uint8_t *canon_object_beginning(const struct canon_object *object, const uint8_t *at);

/* ---- targets ------------------------------------------------------------------------------------------- */

static inline bool canon_object_is_target(const struct canon_object *object, const uint8_t *at)
{
    size_t offset = (size_t)(at - object->from);
    return object->targets[offset / 8] >> offset % 8 & 1;
}

static inline void canon_object_add_target(struct canon_object *object, const uint8_t *target)
{
    if (target < object->from || target >= object->to)
        return;
    size_t offset = (size_t)(target - object->from), page = offset / 4096;
    if (!object->pages || object->pages[page / 8] >> page % 8 & 1)
        object->targets[offset / 8] |= (uint8_t)(1 << offset % 8);
}

/* Where the instruction at `at` jumps to. */
static inline void canon_object_note_jump(struct canon_object *object, const uint8_t *at,
                                          const struct canon_insn *insn)
{
    if (insn->has_target)
        canon_object_add_target(object, at + insn->target);
}

/* Jumps that reach far, from anywhere; bytes that only look like one do no harm. */
void canon_object_note_far_jumps(struct canon_object *object);
/* What is jumped to by way of tables and pointers in the file's data (file.c); false: the file does not tell.
 */
bool canon_object_note_data_jumps(struct canon_object *object);
/* All jumps around a place. */
void canon_object_note_near_jumps(struct canon_object *object, const uint8_t *site);

/* ---- writing code -------------------------------------------------------------------------------------- */

struct canon_code {
    uint8_t *at, *end;
    bool failed; /* too long, or too far */
};

void canon_code_put(struct canon_code *code, const void *bytes, size_t size);

#define CANON_CODE_PUT(code, ...)                                                                            \
    canon_code_put(code, (const uint8_t[]){__VA_ARGS__}, sizeof(const uint8_t[]){__VA_ARGS__})

/* The distance to `target` from behind the four bytes that are written. */
void canon_code_put_distance(struct canon_code *code, const uint8_t *target);
/* jmp target */
void canon_code_put_jump(struct canon_code *code, const uint8_t *target);

/* Instructions that do the same elsewhere, once they are adapted: all but calls, and loops. */
static inline bool canon_insn_is_movable(const struct canon_insn *insn)
{
    return insn->kind == CANON_INSN_PLAIN || insn->kind == CANON_INSN_RIP;
}
void canon_code_put_moved(struct canon_code *code, const uint8_t *at, const struct canon_insn *insn);
void canon_code_put_moved_range(struct canon_code *code, const uint8_t *from, const uint8_t *to);

/* Memory for code, so near that jumps reach it, that can be written; NULL if there is none. */
uint8_t *canon_code_map_near(const uint8_t *code, size_t size);
int canon_code_protect(const uint8_t *from, const uint8_t *to, int protection);
/* Replaces a window, in code that can be written, by a jump. */
void canon_code_divert(const struct canon_window *window, const uint8_t *trampoline);

#endif
