/*
 * arena.h: memory that lives as long as one editor. Internal.
 *
 * Edits are many and small and all die together; nothing is freed one by one.
 */
#ifndef CANON_CLASSFILE_ARENA_H
#define CANON_CLASSFILE_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
    struct arena_chunk *chunks;
    char *at;
    char *end;
};

/* Not zeroed, aligned for pointers and 64-bit numbers; ends the process when memory is gone. */
void *canon_arena_take(struct arena *arena, size_t size);
void *canon_arena_take_zeroed(struct arena *arena, size_t size);
void canon_arena_free(struct arena *arena);

#endif
