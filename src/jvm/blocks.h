/*
 * blocks.h: memory for libraries of the program's, in blocks of a region at a fixed address. A recording
 * finds places, a replay is told them. Knows nothing of order: whoever gives a block back says whether those
 * who get it then come after that.
 */
#ifndef CANON_JVM_BLOCKS_H
#define CANON_JVM_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Below where programs and libraries are loaded, above the JVM's heaps. */
#define CANON_BLOCKS_FROM UINT64_C(0x4a0000000000)
#define CANON_BLOCKS_SIZE (UINT64_C(1) << 40)

static inline bool canon_block_is_there(const void *memory)
{
    return (uint64_t)memory - CANON_BLOCKS_FROM < CANON_BLOCKS_SIZE;
}

/* Recorder: memory of so many bytes; NULL: there is none. */
void *canon_block_find(size_t size);
/* Replayer: makes memory of so many bytes at the place that was found for it. False: that is none. */
bool canon_block_place(void *memory, size_t size);

/*
 * In the middle of a block: memory of which the address is a multiple of `alignment` (a power of two, larger
 * than 16). The block has room for CANON_BLOCK_MORE(alignment) bytes more.
 */
#define CANON_BLOCK_MORE(alignment) ((alignment) + 16)
void *canon_block_align(void *memory, size_t alignment);

/* Bytes that may be used. */
size_t canon_block_room(const void *memory);
/* The block's own memory, of what canon_block_align made. */
void *canon_block_whole(void *memory);

/* Gives it back. Recorder: others may get it; if it is not `ordered`, not soon. */
void canon_block_give(void *memory, bool replaying, bool ordered);

#endif
