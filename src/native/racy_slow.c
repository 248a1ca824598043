/* racy_slow.c: see racy.h. What is seldom needed, on canon's own stack, with all registers saved. */
#include "native/racy.h"

#include "native/arena.h"
#include "native/ordered.h"

#include <string.h>
#include <sys/syscall.h>

/* NULL if there is no memory: then every value is in the trace. */
static struct canon_racy_memo *memo_of(struct canon_self *self)
{
    if (!self->racy_memo) {
        self->racy_memo = canon_arena_get(sizeof *self->racy_memo);
        if (self->racy_memo)
            memset(self->racy_memo, 0, sizeof *self->racy_memo);
    }
    return self->racy_memo;
}

void canon_racy_thread_ends(struct canon_self *self)
{
    if (self->racy_memo)
        canon_arena_put(self->racy_memo);
    self->racy_memo = NULL;
}

void canon_racy_forked(void)
{
    for (int i = 0; i < CANON_RACY_WORDS; i++)
        atomic_fetch_and_explicit(&canon_racy_words[i], ~(uint64_t)CANON_RACY_LOCKED, memory_order_relaxed);
}

/* ---- reading ------------------------------------------------------------------------------------------- */

/* Recorder: what is there now, after those that wrote it. */
static uint64_t record_load(struct canon_self *self, uint64_t at, unsigned size)
{
    struct canon_lane *lane = self->counts;
    uint64_t value, word;
    for (int i = 1;; i++) {
        value = canon_racy_read(at, size);
        word = atomic_load_explicit(canon_racy_word(at), memory_order_acquire);
        if (!(word & CANON_RACY_LOCKED))
            break; /* who wrote the value has told of it */
        if (i % 100 == 0)
            canon_raw_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
    }
    canon_lane_follow_to(lane, canon_racy_lane(word), (int64_t)(word >> CANON_RACY_COUNT));
    struct canon_racy_memo *memo = memo_of(self);
    uint64_t key = canon_racy_key(at, size);
    struct canon_racy_entry *entry = memo ? canon_racy_entry(memo, key) : NULL;
    if (!entry || entry->key != key || entry->value != value)
        canon_due_put(self, (int64_t)value);
    if (entry)
        *entry = (struct canon_racy_entry){key, value};
    return value;
}

/* Replayer: what was there then. */
static uint64_t replay_load(struct canon_self *self, uint64_t at, unsigned size)
{
    canon_lane_begin(self->counts);
    struct canon_racy_memo *memo = memo_of(self);
    uint64_t key = canon_racy_key(at, size);
    struct canon_racy_entry *entry = memo ? canon_racy_entry(memo, key) : NULL;
    int64_t value;
    if (!canon_due_get_value(self, &value))
        value = (int64_t)(entry && entry->key == key ? entry->value : canon_racy_read(at, size));
    if (entry)
        *entry = (struct canon_racy_entry){key, (uint64_t)value};
    return (uint64_t)value;
}

uint64_t canon_racy_load(uint64_t at, uint64_t size)
{
    struct canon_self *self = &canon_self;
    int error = canon_native_enter(self);
    uint64_t value =
        canon_native.records ? record_load(self, at, (unsigned)size) : replay_load(self, at, (unsigned)size);
    canon_lane_done(self->counts);
    canon_native_leave(self, error);
    return value;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

uint64_t canon_racy_follow(uint64_t word)
{
    int error = errno;
    canon_lane_follow_to(canon_self.lane, canon_racy_lane(word), (int64_t)(word >> CANON_RACY_COUNT));
    errno = error;
    return 0;
}

uint64_t canon_racy_await(void)
{
    int error = errno;
    canon_lane_await(canon_self.lane);
    errno = error;
    return 0;
}

/* Somebody sleeps for the operation that was done, or it was one of the last epoch's second run. */
uint64_t canon_racy_ended(void)
{
    struct canon_self *self = &canon_self;
    int error = errno;
    self->inside++;
    if (canon_lane_operations(self->lane) * CANON_LANE_STEP >= atomic_load(&self->lane->waited))
        canon_lane_ring(self->lane);
    if (canon_native.again)
        canon_insitu_delay(self);
    self->inside--;
    errno = error;
    return 0;
}

uint64_t canon_racy_yield(void)
{
    canon_raw_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
    return 0;
}

void canon_racy_faulted(struct canon_self *self)
{
    if (!self->racy_at)
        return;
    if (self->racy_word)
        atomic_fetch_and_explicit(self->racy_word, ~(uint64_t)CANON_RACY_LOCKED, memory_order_release);
    self->racy_word = NULL;
    self->racy_at = 0;
    self->inside--;
}
