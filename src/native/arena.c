/*
 * arena.c: see arena.h. Blocks of powers of two, kept in lists; larger ones are mappings.
 *
 *     | size of the block (8) | unused (8) | memory ... |
 */
#include "native/arena.h"

#include "native/native.h"
#include "native/zones.h"

#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum { HEADER = 16, SMALLEST = 6, LARGEST = 20, REFILL = 1 << 22 };

struct block {
    size_t size;
    struct block *next; /* while it is free */
};

static _Atomic int lock;
static struct block *free_blocks[LARGEST + 1];
static char *fresh, *fresh_end;
static _Atomic uint64_t next_place = CANON_ZONE_RUNTIME;

/* Who has one is inside: a snapshot does not find it in between, nor the keeper the lock taken by who is
 * parked. */
void canon_spin_lock(_Atomic int *word)
{
    canon_self.inside++;
    for (int i = 0; atomic_exchange_explicit(word, 1, memory_order_acquire); i++)
        if (i < 100)
            __builtin_ia32_pause();
        else
            canon_raw_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
}

void canon_spin_unlock(_Atomic int *word)
{
    atomic_store_explicit(word, 0, memory_order_release);
    atomic_signal_fence(memory_order_seq_cst);
    canon_self.inside--;
}

void canon_arena_lock(void)
{
    canon_spin_lock(&lock);
}

void canon_arena_unlock(void)
{
    canon_spin_unlock(&lock);
}

void *canon_arena_place(size_t size)
{
    uint64_t pages = ((uint64_t)size + 8191) & ~UINT64_C(4095); /* and a gap */
    return (void *)atomic_fetch_add(&next_place, pages);
}

static void *map(size_t size)
{
    long at = canon_raw_syscall(SYS_mmap, (long)canon_arena_place(size), (long)size, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    return at > 0 ? (void *)at : NULL;
}

static struct block *make_small(int class)
{
    size_t size = (size_t)1 << class;
    if ((size_t)(fresh_end - fresh) < size) {
        fresh = map(REFILL);
        fresh_end = fresh ? fresh + REFILL : NULL;
    }
    if (!fresh)
        return NULL;
    struct block *block = (struct block *)fresh;
    fresh += size;
    block->size = size;
    return block;
}

void *canon_arena_get(size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    size_t whole = size + HEADER;
    int class = whole <= 1u << SMALLEST ? SMALLEST : 64 - __builtin_clzl(whole - 1);
    struct block *block;
    if (class > LARGEST) {
        block = map(whole);
        if (block)
            block->size = whole;
    } else {
        canon_spin_lock(&lock);
        block = free_blocks[class];
        if (block)
            free_blocks[class] = block->next;
        else
            block = make_small(class);
        canon_spin_unlock(&lock);
    }
    return block ? (char *)block + HEADER : NULL;
}

void canon_arena_put(void *memory)
{
    struct block *block = (struct block *)((char *)memory - HEADER);
    if (block->size > 1u << LARGEST) {
        canon_raw_syscall(SYS_munmap, (long)block, (long)block->size, 0, 0, 0, 0);
        return;
    }
    int class = 63 - __builtin_clzl(block->size);
    canon_spin_lock(&lock);
    block->next = free_blocks[class];
    free_blocks[class] = block;
    canon_spin_unlock(&lock);
}

size_t canon_arena_size(const void *memory)
{
    return ((const struct block *)((const char *)memory - HEADER))->size - HEADER;
}
