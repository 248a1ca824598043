/* ordered.c: see ordered.h. */
#include "native/ordered.h"

#include "native/arena.h"
#include "native/racy.h"

#include <time.h>

enum { WORDS = 1 << 12 };

static struct canon_word words[WORDS];
struct canon_words canon_words;

struct canon_word *canon_word_of(const void *thing)
{
    return &words[(uint64_t)thing / 8 * 0x9e3779b97f4a7c15u >> 52];
}

void canon_words_forked(void)
{
    for (int i = 0; i < WORDS; i++)
        words[i].lock = 0;
    canon_atomics_forked();
    canon_racy_forked();
    canon_words.memory.lock = canon_words.threads.lock = canon_words.world.lock = 0;
}

void canon_touch_begin(struct canon_self *self, struct canon_word *word)
{
    if (canon_native.serial)
        return;
    if (canon_native_replays())
        canon_lane_begin(self->lane);
    canon_spin_lock(&word->lock);
    if (!canon_native_replays())
        canon_lane_follow_to(self->lane, word->lane, word->count);
}

void canon_touch_end(struct canon_self *self, struct canon_word *word)
{
    if (canon_native.serial)
        return;
    canon_lane_done(self->lane);
    word->lane = (int)self->lane->number;
    word->count = canon_lane_operations(self->lane);
    canon_spin_unlock(&word->lock);
}

void canon_touch(struct canon_self *self, struct canon_word *word)
{
    canon_touch_begin(self, word);
    canon_touch_end(self, word);
}

/*
 * Replay: nobody waits for a condition variable; what had woken the thread has come before. If nothing comes
 * before, over and over again, the thread waits for something that does not happen in this replay.
 */
static void look_for_progress(struct canon_self *self)
{
    enum { MOST = 100000 }; /* no system wakes a thread as often for no reason */
    uint64_t position = canon_strand_position(self->strand);
    if (position != self->woken_at)
        self->woken = 0;
    self->woken_at = position;
    if (++self->woken > MOST)
        canon_strand_stuck(self->strand, "to be woken",
                           "it waits for a condition variable, and nobody does what it waits for");
}

void canon_follow(struct canon_self *self, struct canon_word *word)
{
    if (canon_native_replays()) {
        canon_lane_begin(self->lane);
        if (!word)
            look_for_progress(self);
    } else {
        canon_spin_lock(&word->lock);
        int lane = word->lane;
        int64_t count = word->count;
        canon_spin_unlock(&word->lock);
        canon_lane_follow_to(self->lane, lane, count);
    }
    canon_lane_done(self->lane);
}

/* ---- results that are not the usual ones --------------------------------------------------------------- */

static uint64_t due_id;

void canon_due_put(struct canon_self *self, int64_t result)
{
    struct canon_step *step = canon_step_begin(self->strand, CANON_EVENT_NATIVE, due_id);
    while (!step && canon_role_now() == CANON_ROLE_RECORDER)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL); /* the process is ending: see lane.c */
    if (!step)
        return;
    int64_t operations = canon_lane_operations(self->lane);
    canon_step_int(step, &operations);
    canon_step_int(step, &result);
    canon_step_end(self->strand, CANON_EVENT_NATIVE, due_id);
}

/* Replay: the lane has come to the operation that the strand's next event is about. */
static void take_due(struct canon_lane *lane)
{
    struct canon_self *self = &canon_self;
    struct canon_step *step = canon_step_begin(lane->strand, CANON_EVENT_NATIVE, due_id);
    int64_t operations = 0, value = 0;
    canon_step_int(step, &operations);
    canon_step_int(step, &value);
    canon_step_end(lane->strand, CANON_EVENT_NATIVE, due_id);
    self->due = true;
    self->due_result = value;
    canon_lane_arm(lane);
}

bool canon_due_get_value(struct canon_self *self, int64_t *value)
{
    if (!self->due)
        return false;
    self->due = false;
    *value = self->due_result;
    return true;
}

bool canon_due_get(struct canon_self *self, int *result)
{
    int64_t value;
    bool due = canon_due_get_value(self, &value);
    if (due)
        *result = (int)value;
    return due;
}

void canon_due_start(void)
{
    due_id = canon_role_name("result");
    canon_lane_due(due_id, take_due);
}
