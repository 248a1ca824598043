/* arena.c: see arena.h. */
#include "classfile/arena.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_SIZE = 32 * 1024 };

struct arena_chunk {
    struct arena_chunk *next;
    max_align_t memory[];
};

static void add_chunk(struct arena *arena, size_t size)
{
    if (size < CHUNK_SIZE)
        size = CHUNK_SIZE;
    struct arena_chunk *chunk = malloc(sizeof *chunk + size);
    canon_assert(chunk);
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    arena->at = (char *)chunk->memory;
    arena->end = arena->at + size;
}

void *canon_arena_take(struct arena *arena, size_t size)
{
    size = size ? (size + 7) & ~(size_t)7 : 8; /* never NULL */
    if (size > (size_t)(arena->end - arena->at))
        add_chunk(arena, size);
    void *memory = arena->at;
    arena->at += size;
    return memory;
}

void *canon_arena_take_zeroed(struct arena *arena, size_t size)
{
    return memset(canon_arena_take(arena, size), 0, size);
}

void canon_arena_free(struct arena *arena)
{
    while (arena->chunks) {
        struct arena_chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
    *arena = (struct arena){0};
}
