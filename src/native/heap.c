/*
 * heap.c: see heap.h.
 *
 *   block:  | class (4) | before (4) | bytes wanted (8) | memory ... |
 *
 * `before` is 0, or for memory that was asked for with an alignment, how far back the block's own header is:
 * then this one is in the middle of a block. A class takes fresh memory from a run, runs come from the lane's
 * zone. Blocks too large for a class are mappings.
 */
#include "native/heap.h"

#include "base/assert.h"
#include "native/arena.h"
#include "native/detect/guard.h"
#include "native/memory.h"
#include "native/ordered.h"
#include "native/stack.h"
#include "native/zones.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum {
    HEADER = 16,
    LARGEST = CANON_SIZE_LARGEST,
    TINY = 1024,             /* what is smaller does not move when it shrinks */
    MAPPED = 0x7fffffff,     /* the class of a mapping */
    RUN_LEAST = 64 << 10,    /* bytes of a run, if its blocks are smaller */
    GROWTH = 32 << 20,       /* by which a zone grows */
    GATHERED_MOST = 1 << 20, /* bytes of a class that gather in a heap before they go to the pool */
    GATHERED_FEW = 8,        /* but at least so many blocks may */
};

struct block {
    uint32_t class, before;
    size_t wanted;
    struct block *next; /* in the memory, while it is free */
};

struct list {
    struct block *first;
    size_t count;
};

struct canon_heap {
    int lane;
    char *at, *end, *limit; /* of its zone: what is not given out, what is mapped, where it ends */
    struct {
        struct list freed;
        char *run, *run_end;
    } classes[CANON_SIZE_CLASSES];
};

/*
 * One a lane, and one for threads without. The first that canon asks memory for, so that their addresses,
 * which get onto the program's stack, are the same in a replay.
 */
static struct canon_heap *heaps;
static _Atomic int heaps_lock;
/* Blocks that all threads share; protected by the word of each, in the order of threads. */
static struct {
    struct canon_word word;
    struct list freed;
} pool[CANON_SIZE_CLASSES];
/* Threads without a lane take turns. */
static _Atomic int common_lock;

/* ---- fresh memory -------------------------------------------------------------------------------------- */

struct canon_heap *canon_heap_at(int lane)
{
    canon_spin_lock(&heaps_lock);
    if (!heaps)
        heaps = canon_arena_get(CANON_LANE_COUNT * sizeof *heaps); /* fresh pages: zero */
    canon_assert(heaps);
    struct canon_heap *heap = &heaps[lane];
    if (!heap->limit) {
        heap->lane = lane;
        heap->at = heap->end = (char *)(CANON_ZONE_HEAPS + (uint64_t)lane * CANON_ZONE_HEAP_SIZE);
        heap->limit = heap->at + CANON_ZONE_HEAP_SIZE;
    }
    canon_spin_unlock(&heaps_lock);
    return heap;
}

/* Memory of the heap's zone that nobody has had yet; NULL at its end. */
static char *fresh(struct canon_heap *heap, size_t size)
{
    if ((size_t)(heap->end - heap->at) < size) {
        size_t more = (size + GROWTH - 1) / GROWTH * GROWTH;
        if ((size_t)(heap->limit - heap->end) < more ||
            canon_raw_syscall(SYS_mmap, (long)heap->end, (long)more, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1,
                              0) != (long)heap->end)
            return NULL;
        heap->end += more;
    }
    char *memory = heap->at;
    heap->at += size;
    return memory;
}

static struct block *from_run(struct canon_heap *heap, int class)
{
    size_t size = canon_size_of_class(class);
    if ((size_t)(heap->classes[class].run_end - heap->classes[class].run) < size) {
        size_t run = size * 8 > RUN_LEAST ? size * 8 : RUN_LEAST;
        if (size > RUN_LEAST * 4)
            run = size;
        if (canon_guards.on)
            run = (run + CANON_GUARD_GRANULE - 1) & ~(size_t)(CANON_GUARD_GRANULE - 1);
        char *memory = fresh(heap, run);
        if (!memory)
            return NULL;
        if (canon_guards.on)
            canon_guard_run(heap->lane, memory, run, class);
        heap->classes[class].run = memory;
        heap->classes[class].run_end = memory + run;
    }
    struct block *block = (struct block *)heap->classes[class].run;
    heap->classes[class].run += size;
    return block;
}

/* ---- the pool ------------------------------------------------------------------------------------------ */

static size_t gathered_most(int class)
{
    size_t blocks = GATHERED_MOST / canon_size_of_class(class);
    return blocks > GATHERED_FEW ? blocks : GATHERED_FEW;
}

static void move_blocks(struct list *from, struct list *to, size_t most)
{
    for (; most && from->first; most--) {
        struct block *block = from->first;
        from->first = block->next;
        from->count--;
        block->next = to->first;
        to->first = block;
        to->count++;
    }
}

struct exchange {
    struct list *from, *to;
    int class;
};

static void exchange_inside(void *argument)
{
    const struct exchange *exchange = argument;
    struct canon_word *word = &pool[exchange->class].word;
    canon_touch_begin(&canon_self, word);
    move_blocks(exchange->from, exchange->to, gathered_most(exchange->class) / 2);
    canon_touch_end(&canon_self, word);
}

/* Half of what is gathered goes into the pool, or as much comes out of it. */
static void exchange(struct canon_self *self, struct list *from, struct list *to, int class)
{
    struct exchange what = {from, to, class};
    int error = canon_native_enter(self);
    canon_stack_call(exchange_inside, &what);
    canon_native_leave(self, error);
}

void canon_heap_fork_begins(void)
{
    for (int i = 0; i < CANON_SIZE_CLASSES; i++)
        canon_spin_lock(&pool[i].word.lock);
    canon_spin_lock(&heaps_lock);
    canon_spin_lock(&common_lock);
    canon_arena_lock();
}

void canon_heap_fork_ended(void)
{
    canon_arena_unlock();
    canon_spin_unlock(&common_lock);
    canon_spin_unlock(&heaps_lock);
    for (int i = 0; i < CANON_SIZE_CLASSES; i++)
        canon_spin_unlock(&pool[i].word.lock);
}

/* ---- getting and freeing ------------------------------------------------------------------------------- */

/* Also for threads that have no lane, which take turns. */
static struct canon_heap *take_heap(struct canon_self *self)
{
    if (self->heap)
        return self->heap;
    if (!self->start && !self->ended && !canon_native.threaded)
        return self->heap = canon_heap_at(1); /* the first thread, before canon has begun */
    canon_spin_lock(&common_lock);
    return canon_heap_at(0);
}

static void leave_heap(struct canon_self *self)
{
    if (!self->heap)
        canon_spin_unlock(&common_lock);
}

/* `zeroed` tells whether the memory is known to be zero. */
static struct block *get_block(struct canon_self *self, int class, bool *zeroed)
{
    struct canon_heap *heap = take_heap(self);
    struct list *freed = &heap->classes[class].freed;
    if (!freed->first && canon_has_any_order(self) &&
        (size_t)(heap->classes[class].run_end - heap->classes[class].run) < canon_size_of_class(class))
        exchange(self, &pool[class].freed, freed, class);
    struct block *block = freed->first;
    *zeroed = !block;
    if (block) {
        freed->first = block->next;
        freed->count--;
    } else {
        block = from_run(heap, class);
    }
    leave_heap(self);
    return block;
}

static void give_block(struct canon_self *self, struct block *block, int class)
{
    struct canon_heap *heap = take_heap(self);
    struct list *freed = &heap->classes[class].freed;
    block->next = freed->first;
    freed->first = block;
    if (++freed->count > gathered_most(class) && canon_has_any_order(self))
        exchange(self, freed, &pool[class].freed, class);
    leave_heap(self);
}

static struct block *map_block(size_t wanted)
{
    char *memory = wanted > SIZE_MAX / 2 ? NULL : canon_memory_map((wanted + HEADER + 4095) & ~(size_t)4095);
    return (struct block *)memory;
}

static void *get(size_t wanted, bool *zeroed)
{
    struct canon_self *self = &canon_self;
    if (__builtin_expect(self->inside > 0, 0)) {
        *zeroed = false;
        return canon_arena_get(wanted);
    }
    int class = wanted > LARGEST - HEADER ? -1 : canon_size_class(wanted + HEADER);
    if (class >= 0 && class < 2)
        class = 2; /* what is free has a link in it */
    struct block *block;
    *zeroed = true;
    block = class < 0 ? map_block(wanted) : get_block(self, class, zeroed);
    if (!block) {
        errno = ENOMEM;
        return NULL;
    }
    block->class = class < 0 ? MAPPED : (uint32_t) class;
    block->before = 0;
    block->wanted = wanted;
    return (char *)block + HEADER;
}

static struct block *header_of(void *memory)
{
    struct block *block = (struct block *)((char *)memory - HEADER);
    return block->before ? (struct block *)((char *)block - block->before) : block;
}

/* Bytes that the memory may use. */
static size_t room(void *memory)
{
    struct block *block = header_of(memory);
    size_t whole = block->class == MAPPED ? (block->wanted + HEADER + 4095) & ~(size_t)4095
                                          : canon_size_of_class((int)block->class);
    return whole - (size_t)((char *)memory - (char *)block);
}

size_t canon_heap_used(int lane)
{
    const struct canon_heap *heap = &heaps[lane];
    return heap->limit ? (uint64_t)heap->at - CANON_ZONE_HEAPS - (uint64_t)lane * CANON_ZONE_HEAP_SIZE : 0;
}

/* ---- for guard.c --------------------------------------------------------------------------------------- */

int canon_heap_lane(const struct canon_heap *heap)
{
    return heap->lane;
}

void *canon_heap_take(struct canon_self *self, int class, bool *zeroed)
{
    return get_block(self, class, zeroed);
}

void canon_heap_give(struct canon_self *self, void *block, int class)
{
    give_block(self, block, class);
}

size_t canon_heap_plain_size(void *memory)
{
    return room(memory);
}

char *canon_heap_begin_anew(size_t alignment)
{
    struct canon_heap *heap = canon_heap_at(1);
    memset(heap->classes, 0, sizeof heap->classes);
    heap->at = (char *)(((uintptr_t)heap->at + alignment - 1) & ~(alignment - 1));
    return heap->at;
}

/* Whether a call of the program's goes to guard.c. */
static inline bool is_guarded(const struct canon_self *self)
{
    return __builtin_expect(canon_guards.on, 0) && !self->inside;
}

/* ---- malloc and its family ----------------------------------------------------------------------------- */

CANON_EXPORT void *malloc(size_t size);
CANON_EXPORT void free(void *memory);
CANON_EXPORT void *calloc(size_t count, size_t size);
CANON_EXPORT void *realloc(void *memory, size_t size);
CANON_EXPORT void *memalign(size_t alignment, size_t size);
CANON_EXPORT void *aligned_alloc(size_t alignment, size_t size);
CANON_EXPORT int posix_memalign(void **out, size_t alignment, size_t size);
CANON_EXPORT void *valloc(size_t size);
CANON_EXPORT void *pvalloc(size_t size);
CANON_EXPORT size_t malloc_usable_size(void *memory);
CANON_EXPORT int malloc_trim(size_t pad);

void *malloc(size_t size)
{
    bool zeroed;
    if (is_guarded(&canon_self))
        return canon_guard_get(size, 0, false);
    return get(size, &zeroed);
}

static void free_mapped(struct block *block)
{
    canon_memory_unmap(block, (block->wanted + HEADER + 4095) & ~(size_t)4095);
}

void free(void *memory)
{
    if (!memory)
        return;
    if (canon_zone_is_runtime(memory)) {
        canon_arena_put(memory);
        return;
    }
    if (canon_guards.on) {
        canon_guard_free(memory);
        /* What free leaves in blocks must not be left in registers: a fault would look like theirs. */
        __asm__ volatile("xor %%eax, %%eax\n\txor %%ecx, %%ecx\n\txor %%edx, %%edx\n\txor %%esi, %%esi\n\t"
                         "xor %%edi, %%edi\n\txor %%r8d, %%r8d\n\txor %%r9d, %%r9d\n\txor %%r10d, %%r10d\n\t"
                         "xor %%r11d, %%r11d"
                         :
                         :
                         : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11");
        return;
    }
    struct block *block = header_of(memory);
    if (block->class == MAPPED)
        free_mapped(block);
    else
        give_block(&canon_self, block, (int)block->class);
}

void *calloc(size_t count, size_t size)
{
    size_t whole;
    bool zeroed;
    if (__builtin_mul_overflow(count, size, &whole)) {
        errno = ENOMEM;
        return NULL;
    }
    if (is_guarded(&canon_self))
        return canon_guard_get(whole, 0, true);
    void *memory = get(whole, &zeroed);
    if (memory && !zeroed)
        memset(memory, 0, whole);
    return memory;
}

void *realloc(void *memory, size_t size)
{
    if (!memory)
        return malloc(size);
    if (!size) {
        free(memory);
        return NULL;
    }
    bool own = canon_zone_is_runtime(memory);
    if (!own && canon_guards.on)
        return canon_guard_resize(memory, size);
    size_t old = own ? canon_arena_size(memory) : room(memory);
    if (size <= old && (own || size > old / 4 || old < TINY)) {
        if (!own)
            header_of(memory)->wanted = header_of(memory)->class == MAPPED ? header_of(memory)->wanted : size;
        return memory;
    }
    void *moved = malloc(size);
    if (!moved)
        return NULL;
    memcpy(moved, memory, old < size ? old : size);
    free(memory);
    return moved;
}

void *memalign(size_t alignment, size_t size)
{
    if (alignment <= 16)
        return malloc(size);
    if (size > SIZE_MAX / 2 || alignment > SIZE_MAX / 4) {
        errno = ENOMEM;
        return NULL;
    }
    if (is_guarded(&canon_self))
        return canon_guard_get(size, alignment, false);
    char *memory = malloc(size + alignment + HEADER);
    if (!memory || !((uintptr_t)memory & (alignment - 1)))
        return memory;
    if (canon_zone_is_runtime(memory)) /* the runtime asks for no such thing */
        return memory;
    char *aligned = (char *)(((uintptr_t)memory + HEADER + alignment - 1) & ~(alignment - 1));
    struct block *inner = (struct block *)(aligned - HEADER);
    inner->class = 0;
    inner->before = (uint32_t)(aligned - memory);
    inner->wanted = size;
    return aligned;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    if (alignment % sizeof(void *) || !alignment || (alignment & (alignment - 1)))
        return EINVAL;
    int error = errno;
    void *memory = memalign(alignment, size);
    errno = error;
    if (!memory)
        return ENOMEM;
    *out = memory;
    return 0;
}

void *valloc(size_t size)
{
    return memalign(4096, size);
}

void *pvalloc(size_t size)
{
    return memalign(4096, (size + 4095) & ~(size_t)4095);
}

size_t malloc_usable_size(void *memory)
{
    if (!memory)
        return 0;
    if (canon_zone_is_runtime(memory))
        return canon_arena_size(memory);
    return canon_guards.on ? canon_guard_size(memory) : room(memory);
}

int malloc_trim(size_t pad)
{
    (void)pad;
    return 0;
}
