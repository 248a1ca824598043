/*
 * ordered.h: operations: what native threads do to each other, on the lanes of order/lane.h.
 *
 * What is touched has a word that says who touched it last. A word of a mutex lies in the mutex, and is
 * protected by it; others are found by address, and have a lock.
 */
#ifndef CANON_NATIVE_ORDERED_H
#define CANON_NATIVE_ORDERED_H

#include "native/native.h"

struct canon_word {
    _Atomic int lock;
    int lane;
    int64_t count;
};

/* What there is one of. */
extern struct canon_words {
    struct canon_word memory, threads, world;
} canon_words;

/* Whether the thread's operations count. */
static inline bool canon_ordered(const struct canon_self *self)
{
    return self->counts && !self->inside;
}

/* Or have an order of another kind (turns.h). */
static inline bool canon_has_any_order(const struct canon_self *self)
{
    return self->counts || self->turns;
}

static inline bool canon_ordered_here(const struct canon_self *self)
{
    return canon_has_any_order(self) && !self->inside;
}

/* The same for who is inside, on the way of something that is recorded. */
static inline bool canon_has_order(const struct canon_self *self)
{
    return self->counts;
}

/* The word of something; others may share it, which orders more than is needed. */
struct canon_word *canon_word_of(const void *thing);

/*
 * An operation on what has this word: alone between begin and end (which nobody needs in turns). The thread
 * is inside. A replay waits in begin until it is its turn.
 */
void canon_touch_begin(struct canon_self *self, struct canon_word *word);
void canon_touch_end(struct canon_self *self, struct canon_word *word);
void canon_touch(struct canon_self *self, struct canon_word *word);
/* An operation that comes after the last touch, and is none itself. A replay of one that was woken has no
 * word. */
void canon_follow(struct canon_self *self, struct canon_word *word);

/*
 * The operation that comes next does not end as it usually would: recorder, before that operation ends.
 * Replayer: begin has found it: whether, and how.
 */
void canon_due_put(struct canon_self *self, int64_t result);
bool canon_due_get(struct canon_self *self, int *result);
bool canon_due_get_value(struct canon_self *self, int64_t *value);
/* After a fork, in the child: who else had locked a word is not there any more. */
void canon_words_forked(void);
void canon_atomics_forked(void); /* atomics.c: by it */

/* Once, at the start. */
void canon_due_start(void);

/* Something of libc's that threads wait for each other with is used; a replay leaves it alone. */
void canon_image_except(const void *lock, size_t size);
static inline void canon_lock_used(const void *lock, size_t size)
{
    if (__builtin_expect(canon_native.again, 0))
        canon_image_except(lock, size);
}

#endif
