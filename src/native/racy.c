/*
 * racy.c: see racy.h. What trampolines call, as short as it can be. This file is compiled for general
 * registers only: nothing else is saved by who calls it. What takes longer is in racy_slow.c.
 */
#include "native/racy.h"

_Atomic uint64_t canon_racy_words[CANON_RACY_WORDS];

/* As canon_lane_done; whether somebody waits for that. */
static inline bool done(struct canon_lane *lane)
{
    int64_t count = (atomic_load_explicit(&lane->count, memory_order_relaxed) | (CANON_LANE_STEP - 1)) + 1;
    atomic_store_explicit(&lane->count, count, memory_order_release);
    return count >= atomic_load_explicit(&lane->waited, memory_order_relaxed);
}

/* ---- reading ------------------------------------------------------------------------------------------- */

/* Whether `*value`, which was read, is what the thread's memo has; a replay gets it from there. */
static inline bool is_known(struct canon_self *self, uint64_t at, unsigned size, uint64_t *value)
{
    struct canon_lane *lane = self->counts;
    uint64_t key = canon_racy_key(at, size);
    const struct canon_racy_entry *entry = self->racy_memo ? canon_racy_entry(self->racy_memo, key) : NULL;
    if (!entry || entry->key != key)
        return false;
    if (!canon_native.records) {
        *value = entry->value;
        return atomic_load_explicit(&lane->count, memory_order_relaxed) != lane->next && !canon_native.again;
    }
    uint64_t word = atomic_load_explicit(canon_racy_word(at), memory_order_acquire);
    return entry->value == *value && !(word & CANON_RACY_LOCKED) && !canon_racy_is_news(lane, word);
}

static inline uint64_t load(uint64_t at, unsigned size)
{
    struct canon_self *self = &canon_self;
    uint64_t value = canon_racy_read(at, size);
    if (!self->counts || self->inside || canon_native.mode == CANON_ROLE_PASSTHROUGH)
        return value;
    if (__builtin_expect(!is_known(self, at, size, &value), 0))
        return canon_racy_load_kept(at, size);
    if (__builtin_expect(done(self->counts), 0))
        canon_racy_ended_kept();
    return value;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

static inline uint64_t lock(_Atomic uint64_t *word)
{
    enum { SPINS = 100 };
    for (int i = 1;; i++) {
        uint64_t found = atomic_load_explicit(word, memory_order_relaxed);
        if (!(found & CANON_RACY_LOCKED) &&
            atomic_compare_exchange_weak_explicit(word, &found, found | CANON_RACY_LOCKED,
                                                  memory_order_acquire, memory_order_relaxed))
            return found;
        if (i % SPINS)
            __builtin_ia32_pause();
        else
            canon_racy_yield_kept();
    }
}

/* Alone with the place until the end, while recording; a signal that comes late does not get in between. */
static inline void begin(uint64_t at, unsigned size)
{
    struct canon_self *self = &canon_self;
    if (!self->counts || self->inside || canon_native.mode == CANON_ROLE_PASSTHROUGH)
        return;
    struct canon_lane *lane = self->counts;
    self->inside++;
    self->racy_at = at;
    self->racy_size = size;
    if (canon_native.records) {
        self->racy_word = canon_racy_word(at);
        uint64_t found = lock(self->racy_word);
        if (canon_racy_is_news(lane, found))
            canon_racy_follow_kept(found);
    } else if (atomic_load_explicit(&lane->count, memory_order_relaxed) == lane->next) {
        canon_racy_await_kept();
    }
}

/* What the thread has written it has seen. */
static inline void remember(const struct canon_self *self)
{
    uint64_t key = canon_racy_key(self->racy_at, self->racy_size);
    struct canon_racy_entry *entry = self->racy_memo ? canon_racy_entry(self->racy_memo, key) : NULL;
    if (entry && entry->key == key)
        entry->value = canon_racy_read(self->racy_at, self->racy_size);
}

CANON_RACY_CALLED void canon_racy_end(void)
{
    struct canon_self *self = &canon_self;
    if (!self->racy_at)
        return;
    struct canon_lane *lane = self->lane;
    remember(self);
    bool awaited = done(lane);
    if (self->racy_word)
        atomic_store_explicit(self->racy_word,
                              (uint64_t)canon_lane_operations(lane) << CANON_RACY_COUNT |
                                  (uint64_t)lane->number << 1,
                              memory_order_release);
    if (__builtin_expect(awaited || canon_native.again, 0))
        canon_racy_ended_kept();
    self->racy_word = NULL;
    self->racy_at = 0;
    self->inside--;
}

/* ---- by size ------------------------------------------------------------------------------------------- */

#define SIZE(bytes)                                                                                          \
    CANON_RACY_CALLED uint64_t canon_racy_load_##bytes(uint64_t at)                                          \
    {                                                                                                        \
        return load(at, bytes);                                                                              \
    }                                                                                                        \
    CANON_RACY_CALLED void canon_racy_begin_##bytes(uint64_t at)                                             \
    {                                                                                                        \
        begin(at, bytes);                                                                                    \
    }

SIZE(1)
SIZE(2)
SIZE(4)
SIZE(8)
