/*
 * blocks.c: see blocks.h.
 *
 *   block:  | bytes (8) | next, or back (8) | memory ... |
 *
 * `next` of a block that is free; `back` of memory in the middle of one: how far behind the block's own it
 * is. What is in the memory stays, so that a recording and a replay find the same there.
 */
#include "jvm/blocks.h"

#include "base/size_classes.h"

#include <pthread.h>
#include <sys/mman.h>

enum {
    HEADER = 16,
    SHARDS = 16,       /* of free blocks: threads that use different ones do not meet */
    GROWTH = 64 << 20, /* by which the region is mapped */
    EMPTIED = 1 << 20, /* bytes from which on a free block's memory goes back to the system */
    ASIDE = 4096,      /* blocks that wait until others may have them */
};

struct block {
    size_t size; /* header included */
    union {
        struct block *next;
        size_t back;
    };
};

static struct {
    struct block *classes[CANON_SIZE_CLASSES];
} shards[SHARDS];
static struct block *large; /* free ones of no class */
static struct block *aside[ASIDE];
static size_t put_aside;
static uint64_t at = CANON_BLOCKS_FROM, end = CANON_BLOCKS_FROM; /* what was given out, and is mapped */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;         /* for all of these; leaf */

static struct block *block_of(const void *memory)
{
    return (struct block *)((uint64_t)memory - HEADER);
}

static int shard(void)
{
    static _Atomic int threads;
    static __thread int mine;
    if (!mine)
        mine = ++threads;
    return mine % SHARDS;
}

/* 0: too much. */
static size_t whole_size(size_t size)
{
    if (size > CANON_BLOCKS_SIZE)
        return 0;
    int class = canon_size_class(size + HEADER);
    return class < 0 ? (size + HEADER + 4095) & ~(size_t)4095 : canon_size_of_class(class);
}

static bool map_to(uint64_t limit)
{
    if (limit > CANON_BLOCKS_FROM + CANON_BLOCKS_SIZE)
        return false;
    while (end < limit) {
        uint64_t more = (limit - end + GROWTH - 1) / GROWTH * GROWTH;
        if (mmap((void *)end, more, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED)
            return false;
        end += more;
    }
    return true;
}

static struct block *fresh(size_t size)
{
    if (!map_to(at + size))
        return NULL;
    struct block *block = (struct block *)at;
    at += size;
    return block;
}

static struct block *take_large(size_t size)
{
    struct block **link = &large;
    while (*link && ((*link)->size < size || (*link)->size / 2 > size))
        link = &(*link)->next;
    struct block *block = *link;
    if (block)
        *link = block->next;
    return block;
}

/* Of the thread's own shard, if there is one. */
static struct block *take_freed(size_t size)
{
    int class = canon_size_class(size), first = shard();
    if (class < 0)
        return take_large(size);
    for (int i = 0; i < SHARDS; i++) {
        struct block **list = &shards[(first + i) % SHARDS].classes[class], *block = *list;
        if (block) {
            *list = block->next;
            return block;
        }
    }
    return NULL;
}

void *canon_block_find(size_t size)
{
    size_t whole = whole_size(size);
    if (!whole)
        return NULL;
    pthread_mutex_lock(&lock);
    struct block *block = take_freed(whole);
    if (!block && (block = fresh(whole)))
        block->size = whole;
    pthread_mutex_unlock(&lock);
    if (!block)
        return NULL;
    block->back = 0;
    return block + 1;
}

bool canon_block_place(void *memory, size_t size)
{
    uint64_t first = (uint64_t)block_of(memory);
    size_t whole = whole_size(size);
    if (!whole || !canon_block_is_there((void *)first) || first % 16)
        return false;
    pthread_mutex_lock(&lock);
    bool mapped = map_to(first + whole);
    pthread_mutex_unlock(&lock);
    if (!mapped)
        return false;
    struct block *block = (struct block *)first;
    if (block->size < whole) /* a large one that was used again may be larger */
        block->size = whole;
    block->back = 0;
    return true;
}

void *canon_block_align(void *memory, size_t alignment)
{
    uint64_t aligned = ((uint64_t)memory + alignment - 1) & ~(uint64_t)(alignment - 1);
    if (aligned != (uint64_t)memory)
        block_of((void *)aligned)->back = aligned - (uint64_t)memory;
    return (void *)aligned;
}

void *canon_block_whole(void *memory)
{
    return (char *)memory - block_of(memory)->back;
}

size_t canon_block_room(const void *memory)
{
    size_t back = block_of(memory)->back;
    return block_of((const char *)memory - back)->size - HEADER - back;
}

static void put_in(struct block *block)
{
    int class = canon_size_class(block->size);
    struct block **list = class < 0 ? &large : &shards[shard()].classes[class];
    block->next = *list;
    *list = block;
}

/* Its pages, but for the first. */
static void empty(struct block *block)
{
    uint64_t from = ((uint64_t)block + HEADER + 4095) & ~UINT64_C(4095);
    madvise((void *)from, ((uint64_t)block + block->size - from) & ~UINT64_C(4095), MADV_DONTNEED);
}

void canon_block_give(void *memory, bool replaying, bool ordered)
{
    struct block *block = block_of(canon_block_whole(memory));
    if (block->size >= EMPTIED)
        empty(block);
    if (replaying)
        return;
    pthread_mutex_lock(&lock);
    if (ordered) {
        put_in(block);
    } else {
        struct block **place = &aside[put_aside++ % ASIDE];
        if (*place)
            put_in(*place);
        *place = block;
    }
    pthread_mutex_unlock(&lock);
}
