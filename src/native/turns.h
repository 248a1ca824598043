/*
 * turns.h: native threads that run one at a time (order/serial.h): where others may run. All of this does
 * nothing where the order is kept in another way.
 *
 * Memory changes only in turns, so locks need no order of their own: libc's functions run as they are, in a
 * replay too, and what they ask of the kernel (futex) is an event like others.
 */
#ifndef CANON_NATIVE_TURNS_H
#define CANON_NATIVE_TURNS_H

#include "native/native.h"
#include "order/serial.h"

/* How others run during a call. */
enum canon_turns_way {
    CANON_TURNS_KEEP,  /* they run before it, if they have waited for long */
    CANON_TURNS_BRIEF, /* it may block: whoever looks finds the baton */
    CANON_TURNS_LONG,  /* it will, most likely: the next one gets the baton */
};

/* At the start; in place of canon_order_start. */
int canon_turns_start(bool enforced);
/* The thread has a lane: its first turn. */
void canon_turns_begin(struct canon_self *self);
/* Replay: it has come to the end of its recording. */
void canon_turns_rest(void);

/* One operation, inside, around something that may block. What it returns goes to canon_turns_resume. */
bool canon_turns_pause(struct canon_self *self, enum canon_turns_way way);
void canon_turns_resume(struct canon_self *self, bool paused);

/* One operation of the program's own code: others run if they have waited for long, or, yielding, if they
 * want to. */
void canon_turns_point_due(struct canon_self *self);
void canon_turns_yield(struct canon_self *self);

static inline void canon_turns_point(struct canon_self *self)
{
    if (!self->turns || self->inside)
        return;
    canon_serial_count(self->turns);
    if (atomic_load_explicit(&self->turns->count, memory_order_relaxed) >=
        __atomic_load_n(&self->turns->next, __ATOMIC_RELAXED))
        canon_turns_point_due(self);
}

#endif
