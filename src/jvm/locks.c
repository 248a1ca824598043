/*
 * locks.c: see locks.h.
 *
 * Taking a lock and letting it go are operations that touch a word, which locks share by a hash of their
 * address; it holds who touched it last. A lock is taken after its operation in a replay and before it in a
 * recording, so that whoever waits in a replay does so for the order.
 */
#include "jvm/locks.h"

#include "jvm/refs.h"
#include "jvm/serial.h"
#include "jvm/threads.h"
#include "order/lane.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>

enum { WORDS = 1 << 10 };

static struct {
    atomic_flag busy;
    int lane;
    int64_t operations;
} words[WORDS];

/* The lane of the current thread, if what it does now has an order by edges. */
static struct canon_lane *current_lane(void)
{
    return canon_agent.edges && !canon_agent.vector ? (struct canon_lane *)canon_thread_self()->block.lane
                                                    : NULL;
}

static bool replays(void)
{
    return canon_role_now() == CANON_ROLE_REPLAYER;
}

static void touch(struct canon_lane *lane, uint64_t lock)
{
    if (!lane)
        return;
    if (replays()) {
        canon_lane_begin(lane);
        canon_lane_done(lane);
        canon_refs_arm(canon_thread_self());
        return;
    }
    size_t i = lock / 8 * 0x9e3779b97f4a7c15u >> 54;
    while (atomic_flag_test_and_set_explicit(&words[i].busy, memory_order_acquire))
        sched_yield();
    canon_lane_follow_to(lane, words[i].lane, words[i].operations);
    canon_lane_done(lane);
    words[i].lane = (int)lane->number;
    words[i].operations = canon_lane_operations(lane);
    atomic_flag_clear_explicit(&words[i].busy, memory_order_release);
}

void canon_lock_touch(uint64_t address)
{
    touch(current_lane(), address);
}

/* A result that is not the same each time: a step of its own. */
static int decide(struct canon_native *native, struct canon_lane *lane, int result)
{
    struct canon_thread *thread = canon_thread_self();
    int64_t value = result;
    if (!lane)
        return result;
    canon_thread_steps(thread);
    struct canon_step *step = canon_step_begin(thread->strand, CANON_EVENT_NATIVE, native->id);
    if (step) {
        canon_step_int(step, &value);
        canon_step_end(thread->strand, CANON_EVENT_NATIVE, native->id);
    }
    canon_thread_stepped(thread);
    return (int)value;
}

/* Runs the real function, which may wait. */
static int wait_in(struct canon_native *native, struct canon_frame *frame)
{
    struct canon_thread *thread = canon_thread_self();
    bool paused = canon_turns_pause(thread, true);
    int result = (int)canon_native_run(native, frame);
    canon_turns_resume(thread, paused);
    return result;
}

static uint64_t take(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    (void)env;
    struct canon_lane *lane = current_lane();
    if (replays())
        touch(lane, frame->integers[0]);
    int result = wait_in(native, frame);
    if (!replays())
        touch(lane, frame->integers[0]);
    return (uint64_t)result;
}

static uint64_t let_go(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    (void)env;
    touch(current_lane(), frame->integers[0]);
    return canon_native_run(native, frame);
}

/* In a replay, what was got is waited for, and what was not got is not asked for. */
static uint64_t try_to_take(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    (void)env;
    struct canon_lane *lane = current_lane();
    if (!lane || !replays()) {
        int result = decide(native, lane, wait_in(native, frame));
        if (result == 0)
            touch(lane, frame->integers[0]);
        return (uint64_t)result;
    }
    int result = decide(native, lane, 0);
    if (result == 0)
        touch(lane, frame->integers[0]);
    while (result == 0 && (int)canon_native_run(native, frame) != 0)
        sched_yield(); /* whoever had it lets go */
    return (uint64_t)result;
}

/*
 * A replay does not wait for whom the recording has: that it goes on after another thread is in the order. If
 * it is not, a thread of the library's own has woken it.
 */
static int wait_for(struct canon_native *native, struct canon_frame *frame, struct canon_lane *lane)
{
    pthread_mutex_t *mutex = (pthread_mutex_t *)frame->integers[1];
    int64_t operations;
    touch(lane, frame->integers[1]);
    if (lane && replays() && canon_lane_comes_after(lane, &operations)) {
        pthread_mutex_unlock(mutex);
        touch(lane, frame->integers[1]);
        pthread_mutex_lock(mutex);
        return 0;
    }
    int result = wait_in(native, frame);
    touch(lane, frame->integers[1]);
    return result;
}

static uint64_t wait_long(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    (void)env;
    return (uint64_t)wait_for(native, frame, current_lane());
}

static uint64_t wait_until(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    (void)env;
    struct canon_lane *lane = current_lane();
    return (uint64_t)decide(native, lane, wait_for(native, frame, lane));
}

canon_special_fn canon_lock_special(const char *name)
{
    static const struct canon_special SPECIALS[] = {
        {"take", take},           {"let_go", let_go},         {"try_to_take", try_to_take},
        {"wait_long", wait_long}, {"wait_until", wait_until},
    };
    return canon_special_named(SPECIALS, sizeof SPECIALS / sizeof *SPECIALS, name);
}
