/*
 * wait.c: how lanes wait for each other.
 *
 * A strand publishes its count by a plain store and then looks whether somebody sleeps. The one that goes to
 * sleep says so, fences all threads (membarrier), and looks at the count again: so one of the two sees the
 * other, and only the sleeper pays. Each sleeper is woken when its own count is reached, not before: there
 * may be a thousand at one lane, for as many counts.
 */
#include "order/lane.h"

#include "base/error.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    SPINS = 40,
    YIELDS = 20,
    CROWD = 32,           /* lanes from which on a yield is no good: there is always somebody else */
    NAP_NANOS = 20000000, /* without a fence somebody may miss the bell */
    FIRST_NAP_NANOS = 2000000,
    LONG_NAP_NANOS = 500000000,
    SHORT_NAP_NANOS = 100000,
    STUCK_SECONDS = 20,
};

static bool can_fence;

void canon_order_prepare_fence(void)
{
    can_fence = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

bool canon_order_fence(void)
{
    return can_fence && syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

static bool is_there(const struct canon_lane *source, int64_t operations)
{
    return canon_lane_operations(source) >= operations;
}

/* Who sleeps for a lane's count; on its own stack. */
struct canon_sleeper {
    int64_t operations;
    _Atomic uint32_t woken; /* futex */
    struct canon_sleeper *next;
};

/* Protects the lane's sleepers. It is held for moments, but with a thousand threads its holder may not run.
 */
static void lock(struct canon_lane *lane)
{
    while (atomic_exchange_explicit(&lane->sleepers_lock, true, memory_order_acquire))
        sched_yield();
}

static void unlock(struct canon_lane *lane)
{
    atomic_store_explicit(&lane->sleepers_lock, false, memory_order_release);
}

/* With the lock: takes those out whose count is reached, or `leaving`, and sets what is waited for now. */
static void sort_out(struct canon_lane *lane, const struct canon_sleeper *leaving)
{
    int64_t count = canon_lane_operations(lane), least = INT64_MAX;
    for (struct canon_sleeper **at = &lane->sleepers; *at;) {
        struct canon_sleeper *sleeper = *at;
        bool reached = sleeper->operations <= count;
        if (!reached && sleeper != leaving) {
            least = sleeper->operations < least ? sleeper->operations : least;
            at = &sleeper->next;
            continue;
        }
        *at = sleeper->next;
        _Atomic uint32_t *woken = &sleeper->woken;
        atomic_store(woken, 1); /* from now on it may be gone */
        if (sleeper != leaving)
            syscall(SYS_futex, woken, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
    atomic_store(&lane->waited, least == INT64_MAX ? least : least * CANON_LANE_STEP);
}

void canon_lane_ring(struct canon_lane *lane)
{
    lock(lane);
    sort_out(lane, NULL);
    unlock(lane);
}

/*
 * Most naps are short, and the fence is an interrupt on every processor that runs the program: the first one
 * does without. The bell may be missed then, which takes two stores that pass each other, and costs no more
 * than the nap.
 */
static void nap(struct canon_lane *source, int64_t operations, bool first)
{
    struct canon_sleeper self = {.operations = operations};
    lock(source);
    self.next = source->sleepers;
    source->sleepers = &self;
    if (atomic_load(&source->waited) > operations * CANON_LANE_STEP)
        atomic_store(&source->waited, operations * CANON_LANE_STEP);
    unlock(source);
    struct timespec limit = {.tv_nsec = first                 ? FIRST_NAP_NANOS
                                        : canon_order_fence() ? LONG_NAP_NANOS
                                                              : NAP_NANOS};
    if (!is_there(source, operations))
        syscall(SYS_futex, &self.woken, FUTEX_WAIT_PRIVATE, 0, &limit, NULL, 0);
    lock(source);
    if (!atomic_load(&self.woken))
        sort_out(source, &self);
    unlock(source);
}

/* Whether it was there soon. */
static bool spin(const struct canon_lane *source, int64_t operations)
{
    int yields = canon_lane_most() < CROWD ? YIELDS : 1;
    for (int i = 0; i < SPINS + yields; i++) {
        if (is_there(source, operations))
            return true;
        if (i < SPINS)
            __builtin_ia32_pause();
        else
            sched_yield();
    }
    return is_there(source, operations);
}

static _Noreturn void give_up(struct canon_strand *strand, const struct canon_lane *source,
                              int64_t operations)
{
    char expected[160], actual[160];
    snprintf(expected, sizeof expected, "operation %lld of %s first", (long long)operations,
             source->strand ? canon_strand_label(source->strand) : "a strand that has ended");
    snprintf(actual, sizeof actual, "that strand has done %lld, and nothing moves any more",
             (long long)canon_lane_operations(source));
    canon_strand_stuck(strand, expected, actual);
}

void canon_lane_wait_for(struct canon_lane *lane, struct canon_strand *strand, struct canon_lane *source,
                         int64_t operations)
{
    if (spin(source, operations))
        return;
    if (lane) {
        lane->awaited_operations = operations;
        atomic_store(&lane->awaited, (int)source->number);
    }
    uint64_t seen = canon_role_events_done();
    int64_t before = canon_lane_operations(source);
    bool first = true;
    for (time_t since = time(NULL); !is_there(source, operations); first = false) {
        nap(source, operations, first);
        if (canon_role_events_done() != seen || canon_lane_operations(source) != before) {
            seen = canon_role_events_done();
            before = canon_lane_operations(source);
            since = time(NULL);
        } else if (time(NULL) - since > STUCK_SECONDS) {
            give_up(strand, source, operations);
        }
    }
    if (lane)
        atomic_store(&lane->awaited, 0);
}

bool canon_order_nap(struct canon_lane *lane, struct canon_patience *patience, int seconds)
{
    if (lane)
        atomic_fetch_add(&lane->still, 1);
    nanosleep(&(struct timespec){.tv_nsec = SHORT_NAP_NANOS}, NULL);
    if (lane)
        atomic_fetch_sub(&lane->still, 1);
    bool moved = !patience->since || canon_role_events_done() != patience->events;
    if (!moved && time(NULL) - patience->since <= seconds)
        return true;
    if (!moved && canon_lane_total() == patience->operations)
        return false;
    *patience = (struct canon_patience){time(NULL), canon_lane_total(), canon_role_events_done()};
    return true;
}
