/*
 * guard.c: see guard.h.
 *
 *   address -> lane (zone of its heap) -> run (granule of 64 KiB) -> record (index of the block in the run)
 *
 * A record's block is one thread's at a time, like the block itself. Who looks at all of them while threads
 * run looks twice: a record is changed before its block is, or after, but never shows a state that its guards
 * are not in.
 */
#include "native/detect/guard.h"

#include "native/arena.h"
#include "native/detect/evidence.h"
#include "native/heap.h"
#include "native/memory.h"
#include "native/zones.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum {
    FRONT = 16,
    BACK = 16,                  /* at least; up to the next multiple of 16 besides */
    POISONED_MOST = 64 << 10,   /* bytes of a freed block that are looked at */
    QUARANTINE_BYTES = 8 << 20, /* of a heap */
    GRANULES = CANON_ZONE_HEAP_SIZE / CANON_GUARD_GRANULE,
};
#define LANE_SHIFT 40
#define GUARD_WORD UINT64_C(0xb5c9a7e3d1f5abed)
/* No address begins like that: who follows a pointer that was freed gets a fault. The rest is the block. */
#define POISON UINT64_C(0xfd00000000000000)
#define NUMBER_MASK ((UINT64_C(1) << 56) - 1)
/* Programs write small numbers: they must not find them there. */
#define DISGUISE UINT64_C(0x9fd3a9e7c5b19b)

enum state { UNUSED, LIVE, FREED };

struct record {
    uint64_t number; /* lane << LANE_SHIFT | count */
    size_t wanted;
    struct record *next; /* in quarantine */
    char *block;
    uint32_t offset; /* of the memory in the block */
    uint16_t class;
    _Atomic uint8_t state;
};

struct run {
    char *memory;
    size_t block_size, count;
    struct run *next;
    struct record records[];
};

/* What a lane has. */
struct guard {
    struct run **granules; /* by (address - zone) / granule */
    struct run *runs;
    uint64_t count; /* blocks allocated so far */
    struct record *oldest, *latest;
    size_t quarantined; /* bytes */
};

struct canon_guards canon_guards;
static struct guard guards[CANON_LANE_COUNT];
static _Atomic int common_lock; /* of lane 0: threads without one */
static char *plain_end;         /* what lies below was allocated without guards */

/* Blocks that are mappings of their own; protected by the lock. */
static _Atomic int mapped_lock;
static struct record *mapped;

/* ---- patterns ------------------------------------------------------------------------------------------ */

/* A byte has its place in the word by its address. */
static void fill(char *from, char *to, uint64_t word)
{
    const char *bytes = (const char *)&word;
    for (; from < to && (uintptr_t)from & 7; from++)
        *from = bytes[(uintptr_t)from & 7];
    for (; from + 8 <= to; from += 8)
        *(uint64_t *)from = word;
    for (; from < to; from++)
        *from = bytes[(uintptr_t)from & 7];
}

/* The first byte that is another one; NULL if there is none. */
static char *differs(char *from, char *to, uint64_t word)
{
    const char *bytes = (const char *)&word;
    for (; from < to; from++) {
        while (!((uintptr_t)from & 7) && from + 8 <= to && *(uint64_t *)from == word)
            from += 8;
        if (from < to && *from != bytes[(uintptr_t)from & 7])
            return from;
    }
    return NULL;
}

static char *memory_of(const struct record *record)
{
    return record->block + record->offset;
}

static char *back_end(const struct record *record)
{
    uintptr_t end = (uintptr_t)memory_of(record) + record->wanted;
    return (char *)((end + 15) & ~(uintptr_t)15) + BACK;
}

static char *poison_end(const struct record *record)
{
    return memory_of(record) + (record->wanted < POISONED_MOST ? record->wanted : POISONED_MOST);
}

/* What the memory has if it was freed; also tells which block it was. */
static uint64_t poison_of(const struct record *record)
{
    return POISON | (record->number ^ DISGUISE);
}

/* ---- looking ------------------------------------------------------------------------------------------- */

static struct canon_trouble about(const struct record *record, enum canon_finding_kind kind, const char *byte)
{
    return (struct canon_trouble){.kind = kind,
                                  .lane = (int)(record->number >> LANE_SHIFT),
                                  .number = record->number & ((UINT64_C(1) << LANE_SHIFT) - 1),
                                  .size = record->wanted,
                                  .at = byte - memory_of(record),
                                  .address = (uint64_t)byte};
}

/* Somebody looks for blocks by their numbers. */
static void tell(const struct record *record, enum canon_block_change change)
{
    struct canon_trouble block = about(record, CANON_FINDING_OVERFLOW, memory_of(record));
    canon_evidence_block(&block, change);
}

/* The lowest byte of the block's guards, or of what free has left in it, that was written. */
static char *written(const struct record *record, enum state state, enum canon_finding_kind *kind)
{
    char *memory = memory_of(record), *end = memory + record->wanted, *byte = NULL;
    if (canon_guards.overflow && (byte = differs(memory - FRONT, memory, GUARD_WORD)))
        *kind = CANON_FINDING_UNDERFLOW;
    if (!byte && state == FREED && canon_guards.uaf &&
        (byte = differs(memory, poison_end(record), poison_of(record))))
        *kind = CANON_FINDING_WRITE_AFTER_FREE;
    if (!byte && canon_guards.overflow && (byte = differs(end, back_end(record), GUARD_WORD)))
        *kind = CANON_FINDING_OVERFLOW;
    return byte;
}

/* An underflow is written from behind: the byte next to the memory was the first. */
static char *first_written(const struct record *record, enum canon_finding_kind kind, char *byte)
{
    if (kind != CANON_FINDING_UNDERFLOW)
        return byte;
    char *last = memory_of(record) - 1;
    while (last > byte && !differs(last, last + 1, GUARD_WORD))
        last--;
    return last;
}

/* Reports what is wrong with a block, once: its guards are made good again. */
static void look(struct record *record, enum state state)
{
    enum canon_finding_kind kind;
    uint64_t number = record->number;
    char *byte = written(record, state, &kind);
    if (!byte || record->number != number || record->state != state)
        return; /* its thread was at work */
    struct canon_trouble finding = about(record, kind, first_written(record, kind, byte));
    canon_evidence(&finding, false);
    fill(memory_of(record) - FRONT, memory_of(record), GUARD_WORD);
    fill(memory_of(record) + record->wanted, back_end(record), GUARD_WORD);
    if (state == FREED)
        fill(memory_of(record), poison_end(record), poison_of(record));
}

void canon_guards_check(void)
{
    if (!canon_guards.on)
        return;
    for (int lane = 0; lane < CANON_LANE_COUNT; lane++)
        for (struct run *run = guards[lane].runs; run; run = run->next)
            for (size_t i = 0; i < run->count; i++)
                if (run->records[i].state != UNUSED)
                    look(&run->records[i], run->records[i].state);
    canon_spin_lock(&mapped_lock);
    for (struct record *record = mapped; record; record = record->next)
        look(record, LIVE);
    canon_spin_unlock(&mapped_lock);
}

/* A block in use or in quarantine; it may lie in another lane's heap. */
static struct record *record_numbered(uint64_t number)
{
    for (int lane = 0; lane < CANON_LANE_COUNT; lane++)
        for (struct run *run = guards[lane].runs; run; run = run->next)
            for (size_t i = 0; i < run->count; i++)
                if (run->records[i].number == number && run->records[i].state != UNUSED)
                    return &run->records[i];
    for (struct record *record = mapped; record; record = record->next)
        if (record->number == number)
            return record;
    return NULL;
}

bool canon_guard_left(uint64_t value, struct canon_trouble *trouble)
{
    uint64_t number = (value & NUMBER_MASK) ^ DISGUISE;
    struct record *record = (value & ~NUMBER_MASK) == POISON ? record_numbered(number) : NULL;
    if (!record || record->state != FREED)
        return false;
    *trouble = about(record, CANON_FINDING_READ_AFTER_FREE, memory_of(record));
    return true;
}

bool canon_guard_find(const struct canon_trouble *wanted, struct canon_trouble *block, bool *freed)
{
    struct record *record = record_numbered((uint64_t)wanted->lane << LANE_SHIFT | wanted->number);
    if (!record)
        return false;
    *block = about(record, wanted->kind, memory_of(record));
    *freed = record->state == FREED;
    return true;
}

/* ---- finding a record ---------------------------------------------------------------------------------- */

void canon_guard_run(int lane, char *memory, size_t size, int class)
{
    struct guard *guard = &guards[lane];
    size_t block_size = canon_size_of_class(class), count = size / block_size;
    canon_self.inside++;
    if (!guard->granules) {
        size_t bytes = GRANULES * sizeof *guard->granules;
        long at =
            canon_raw_syscall(SYS_mmap, (long)canon_arena_place(bytes), (long)bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        guard->granules = at > 0 ? (struct run **)at : NULL;
    }
    struct run *run = canon_arena_get(sizeof *run + count * sizeof *run->records);
    if (run && guard->granules) {
        memset(run, 0, sizeof *run + count * sizeof *run->records);
        *run = (struct run){.memory = memory, .block_size = block_size, .count = count, .next = guard->runs};
        for (size_t i = 0; i < count; i++) {
            run->records[i].block = memory + i * block_size;
            run->records[i].class = (uint16_t) class;
        }
        size_t first = ((uint64_t)memory - CANON_ZONE_HEAPS) % CANON_ZONE_HEAP_SIZE / CANON_GUARD_GRANULE;
        for (size_t i = 0; i < size / CANON_GUARD_GRANULE; i++)
            guard->granules[first + i] = run;
        __atomic_store_n(&guard->runs, run, __ATOMIC_RELEASE);
    }
    canon_self.inside--;
}

/* The record of the block that an address is in; NULL if it is in none. */
static struct record *record_at(const void *address)
{
    uint64_t at = (uint64_t)address - CANON_ZONE_HEAPS;
    if (at / CANON_ZONE_HEAP_SIZE >= CANON_LANE_COUNT)
        return NULL;
    const struct guard *guard = &guards[at / CANON_ZONE_HEAP_SIZE];
    struct run *run =
        guard->granules ? guard->granules[at % CANON_ZONE_HEAP_SIZE / CANON_GUARD_GRANULE] : NULL;
    size_t index = run ? (size_t)((const char *)address - run->memory) / run->block_size : 0;
    return run && index < run->count ? &run->records[index] : NULL;
}

/* Of a mapping; `take`: it leaves the list. */
static struct record *mapped_at(const void *memory, bool take)
{
    canon_spin_lock(&mapped_lock);
    struct record **at = &mapped;
    while (*at && memory_of(*at) != memory)
        at = &(*at)->next;
    struct record *found = *at;
    if (found && take)
        *at = found->next;
    canon_spin_unlock(&mapped_lock);
    return found;
}

static bool is_plain(const void *memory)
{
    return (uint64_t)memory >= CANON_ZONE_HEAPS && (char *)memory < plain_end;
}

/* ---- getting ------------------------------------------------------------------------------------------- */

static struct guard *take_guard(const struct canon_self *self)
{
    int lane = self->heap ? canon_heap_lane(self->heap) : 0;
    if (!lane)
        canon_spin_lock(&common_lock);
    return &guards[lane];
}

static void leave_guard(const struct guard *guard)
{
    if (guard == guards)
        canon_spin_unlock(&common_lock);
}

static size_t mapping_size(const struct record *record)
{
    return ((size_t)(back_end(record) - record->block) + 4095) & ~(size_t)4095;
}

/* A block that is a mapping of its own. */
static struct record *map_block(size_t wanted, size_t alignment)
{
    size_t size = (wanted + alignment + FRONT + BACK + 16 + 4095) & ~(size_t)4095;
    char *block = size < wanted ? NULL : canon_memory_map(size);
    if (!block)
        return NULL;
    canon_self.inside++;
    struct record *record = canon_arena_get(sizeof *record);
    canon_self.inside--;
    if (record)
        *record = (struct record){.block = block};
    return record;
}

static struct record *take_block(struct canon_self *self, size_t whole, bool *zeroed)
{
    int class = canon_size_class(whole);
    char *block = canon_heap_take(self, class, zeroed);
    struct record *record = block ? record_at(block) : NULL;
    return record;
}

void *canon_guard_get(size_t wanted, size_t alignment, bool zero)
{
    struct canon_self *self = &canon_self;
    size_t extra = alignment > 16 ? alignment : 0, whole = wanted + extra + FRONT + BACK + 15;
    bool zeroed = true, maps = wanted > CANON_SIZE_LARGEST / 2 || whole > CANON_SIZE_LARGEST;
    struct record *record = maps ? map_block(wanted, extra) : take_block(self, whole, &zeroed);
    if (!record) {
        errno = ENOMEM;
        return NULL;
    }
    struct guard *guard = take_guard(self);
    record->number = (uint64_t)(guard - guards) << LANE_SHIFT | ++guard->count;
    leave_guard(guard);
    uintptr_t memory = (uintptr_t)record->block + FRONT;
    memory = extra ? (memory + extra - 1) & ~(uintptr_t)(extra - 1) : memory;
    record->offset = (uint32_t)(memory - (uintptr_t)record->block);
    record->wanted = wanted;
    fill((char *)memory - FRONT, (char *)memory, GUARD_WORD);
    fill((char *)memory + wanted, back_end(record), GUARD_WORD);
    record->state = LIVE;
    if (maps) {
        canon_spin_lock(&mapped_lock);
        record->next = mapped;
        mapped = record;
        canon_spin_unlock(&mapped_lock);
    }
    if (zero && !zeroed)
        memset((char *)memory, 0, wanted);
    if (canon_evidence_searches)
        tell(record, CANON_BLOCK_ALLOCATED);
    return (char *)memory;
}

/* ---- freeing ------------------------------------------------------------------------------------------- */

/* The oldest block of the quarantine is free for others. */
static void release(struct canon_self *self, struct guard *guard)
{
    struct record *record = guard->oldest;
    guard->oldest = record->next;
    guard->quarantined -= record->wanted;
    look(record, FREED);
    if (canon_evidence_searches)
        tell(record, CANON_BLOCK_RELEASED);
    record->state = UNUSED;
    canon_heap_give(self, record->block, record->class);
}

static void quarantine(struct canon_self *self, struct record *record)
{
    if (canon_guards.uaf)
        fill(memory_of(record), poison_end(record), poison_of(record));
    record->state = FREED;
    if (canon_evidence_searches)
        tell(record, CANON_BLOCK_FREED);
    struct guard *guard = take_guard(self);
    record->next = NULL;
    if (guard->oldest)
        guard->latest->next = record;
    else
        guard->oldest = record;
    guard->latest = record;
    guard->quarantined += record->wanted;
    while (guard->oldest && (!canon_guards.uaf || guard->quarantined > QUARANTINE_BYTES))
        release(self, guard);
    leave_guard(guard);
}

/* Not the beginning of a block that is in use. */
static void refuse(const struct record *record, char *memory)
{
    struct canon_trouble finding = {
        .kind = CANON_FINDING_INVALID_FREE, .at = (int64_t)memory, .address = (uint64_t)memory};
    if (record && record->number)
        finding = about(record,
                        record->state != LIVE && memory_of(record) == memory ? CANON_FINDING_DOUBLE_FREE
                                                                             : CANON_FINDING_INVALID_FREE,
                        memory);
    canon_evidence(&finding, true);
}

static void free_mapped(struct record *record)
{
    look(record, LIVE);
    if (canon_evidence_searches) {
        tell(record, CANON_BLOCK_FREED);
        tell(record, CANON_BLOCK_RELEASED);
    }
    canon_memory_unmap(record->block, mapping_size(record));
    canon_self.inside++;
    canon_arena_put(record);
    canon_self.inside--;
}

void canon_guard_free(void *memory)
{
    struct record *record = record_at(memory);
    if (is_plain(memory))
        return; /* from before the guards: few, and not used again */
    if (record && record->state == LIVE && memory_of(record) == memory) {
        look(record, LIVE);
        quarantine(&canon_self, record);
    } else if (!record && (record = mapped_at(memory, true))) {
        free_mapped(record);
    } else {
        refuse(record, memory);
    }
}

size_t canon_guard_size(void *memory)
{
    struct record *record = record_at(memory);
    record = record ? record : mapped_at(memory, false);
    return record ? record->wanted : 0;
}

/* It always moves: who still has the old address is to be found out. */
void *canon_guard_resize(void *memory, size_t wanted)
{
    size_t old = is_plain(memory) ? canon_heap_plain_size(memory) : canon_guard_size(memory);
    void *moved = canon_guard_get(wanted, 0, false);
    if (!moved)
        return NULL;
    memcpy(moved, memory, old < wanted ? old : wanted);
    canon_guard_free(memory);
    return moved;
}

/* ---- start --------------------------------------------------------------------------------------------- */

void canon_guards_start(bool overflow, bool uaf)
{
    canon_guards = (struct canon_guards){.on = overflow || uaf, .overflow = overflow, .uaf = uaf};
    if (canon_guards.on)
        plain_end = canon_heap_begin_anew(CANON_GUARD_GRANULE);
}
