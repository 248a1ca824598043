/*
 * wait.c: how lanes wait for each other.
 *
 * A strand publishes its count by a plain store and then looks whether somebody sleeps. The one that goes to
 * sleep says so, fences all threads (membarrier), and looks at the count again: so one of the two sees the
 * other, and only the sleeper pays.
 */
#include "order/lane.h"

#include "base/error.h"

#include <errno.h>
#include <limits.h>
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
    NAP_NANOS = 20000000, /* without a fence somebody may miss the bell */
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

static void lower(_Atomic int64_t *value, int64_t to)
{
    int64_t now = atomic_load(value);
    while (now > to && !atomic_compare_exchange_weak(value, &now, to))
        ;
}

static void nap(struct canon_lane *source, int64_t operations)
{
    uint32_t bell = atomic_load(&source->bell);
    lower(&source->waited, operations * CANON_LANE_STEP);
    canon_order_fence();
    if (is_there(source, operations))
        return;
    struct timespec limit = {.tv_nsec = NAP_NANOS};
    syscall(SYS_futex, &source->bell, FUTEX_WAIT_PRIVATE, bell, &limit, NULL, 0);
}

void canon_lane_ring(struct canon_lane *lane)
{
    atomic_store(&lane->waited, INT64_MAX);
    atomic_fetch_add(&lane->bell, 1);
    syscall(SYS_futex, &lane->bell, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

void canon_lane_wait_for(struct canon_lane *lane, struct canon_lane *source, int64_t operations)
{
    for (int i = 0; i < SPINS; i++) {
        if (is_there(source, operations))
            return;
        __builtin_ia32_pause();
    }
    for (int i = 0; i < YIELDS; i++) {
        if (is_there(source, operations))
            return;
        sched_yield();
    }
    uint64_t seen = canon_role_events_done();
    int64_t before = canon_lane_operations(source);
    for (time_t since = time(NULL); !is_there(source, operations);) {
        nap(source, operations);
        if (canon_role_events_done() != seen || canon_lane_operations(source) != before) {
            seen = canon_role_events_done();
            before = canon_lane_operations(source);
            since = time(NULL);
        } else if (time(NULL) - since > STUCK_SECONDS) {
            char expected[160], actual[160];
            snprintf(expected, sizeof expected, "operation %lld of %s first", (long long)operations,
                     source->strand ? canon_strand_label(source->strand) : "a strand that has ended");
            snprintf(actual, sizeof actual, "that strand has done %lld, and nothing moves any more",
                     (long long)before);
            canon_step_mismatch(lane->strand, expected, actual);
        }
    }
}
