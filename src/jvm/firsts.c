/*
 * firsts.c: see firsts.h.
 *
 * Others may find what was decided without asking canon, so there is nothing to order on their side. That it
 * is for a strand to decide shows at replay by its next event, which was made after as many operations. That
 * this is not about something which the strand asks for later shows by a number: decisions about things of
 * one class are counted, and come in the same order again. What others decided before is there then.
 */
#include "jvm/firsts.h"

#include "base/log.h"
#include "jvm/order.h"
#include "jvm/requests.h"
#include "order/lane.h"
#include "trace/reader.h"

#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STUCK_SECONDS = 1 }; /* less than lanes have: order/wait.c */

/* While there is one thread, it is the first. */
static bool is_event(const struct canon_thread *thread)
{
    return !canon_agent.serial && thread->block.lane && thread->depth == 0 && canon_order_is_shared();
}

bool canon_first_counts(const struct canon_thread *thread)
{
    return thread->strand && !thread->block.quiet && (!thread->lane || thread->block.lane);
}

/* Classes share counts by their key. */
enum { COUNTS = 256 };
static struct {
    pthread_mutex_t lock; /* recorder: held from canon_first_turn to canon_first_decided */
    _Atomic int64_t decisions;
    atomic_bool doubtful; /* replayer: nobody came to decide for one of them */
} counts[COUNTS] = {[0 ... COUNTS - 1] = {.lock = PTHREAD_MUTEX_INITIALIZER}};

/* When it was decided, and what. Whether both are so now. */
static bool describe(const struct canon_thread *thread, struct canon_first first, struct canon_step *step,
                     int64_t *number)
{
    int64_t now = canon_lane_operations(thread->lane), then = now;
    canon_step_int(step, &then);
    bool same = canon_step_check(step, first.key);
    canon_step_int(step, number);
    return same && then == now && !step->in.failed;
}

/* Replayer: the number of the decision that the strand's next event is; 0: it is something else. */
static int64_t recorded_here(const struct canon_thread *thread, struct canon_first first)
{
    const struct canon_event *event = canon_strand_peek(thread->strand);
    if (!event || event->kind != CANON_EVENT_NATIVE || event->id != canon_role_name(first.name))
        return 0;
    struct canon_step step = {.way = CANON_STEP_GET, .in = canon_reader_over(event->payload, event->size)};
    int64_t number = 0;
    return describe(thread, first, &step, &number) ? number : 0;
}

enum canon_first_turn canon_first_turn(struct canon_thread *thread, struct canon_first first, int tries)
{
    static _Thread_local struct canon_patience patience;
    enum canon_role_kind role = canon_role_now();
    if (!is_event(thread) || role == CANON_ROLE_PASSTHROUGH)
        return CANON_FIRST_MINE;
    if (role == CANON_ROLE_RECORDER) {
        pthread_mutex_lock(&counts[first.key % COUNTS].lock);
        return CANON_FIRST_MINE;
    }
    canon_requests_before(thread);
    int64_t number = recorded_here(thread, first);
    if (canon_agent.unordered || (number && number <= counts[first.key % COUNTS].decisions + 1))
        return CANON_FIRST_MINE;
    if (counts[first.key % COUNTS].doubtful)
        return CANON_FIRST_NONE;
    if (tries == 0)
        patience = (struct canon_patience){0};
    if (!canon_order_nap(thread->lane, &patience, STUCK_SECONDS) && !canon_requests_catch_up(thread)) {
        counts[first.key % COUNTS].doubtful = true; /* do not wait again */
        canon_log("jvm", CANON_LOG_WARN,
                  "%s at operation %lld: nobody comes to decide %s of %08x, number %lld",
                  canon_strand_label(thread->strand), (long long)canon_lane_operations(thread->lane),
                  first.name, first.key, (long long)counts[first.key % COUNTS].decisions + 1);
        return CANON_FIRST_NONE;
    }
    return CANON_FIRST_LATER;
}

static void step_decided(struct canon_thread *thread, struct canon_first first, int64_t number)
{
    uint64_t id = canon_role_name(first.name);
    canon_thread_steps(thread);
    struct canon_step *step = canon_step_begin(thread->strand, CANON_EVENT_NATIVE, id);
    while (!step && canon_role_now() == CANON_ROLE_REPLAYER)
        pause();
    if (step) {
        describe(thread, first, step, &number);
        canon_step_end(thread->strand, CANON_EVENT_NATIVE, id);
    }
    canon_thread_stepped(thread);
}

void canon_first_decided(struct canon_thread *thread, struct canon_first first, bool won)
{
    enum canon_role_kind role = canon_role_now();
    _Atomic int64_t *decisions = &counts[first.key % COUNTS].decisions;
    if (!is_event(thread))
        return;
    if (role == CANON_ROLE_REPLAYER) {
        int64_t number = won ? recorded_here(thread, first) : 0;
        if (number) {
            step_decided(thread, first, number);
            *decisions = number;
        }
        return;
    }
    int64_t number = won ? ++*decisions : 0;
    pthread_mutex_unlock(&counts[first.key % COUNTS].lock);
    if (won)
        step_decided(thread, first, number);
}
