/* turns.c: see turns.h. */
#include "native/turns.h"

#include "native/stack.h"

#include <sys/syscall.h>

/* A thread that computes for as long, without an operation, while others wait, is taken for one that spins
 * until one of them does something. */
#define SPINNING_NANOS INT64_C(2000000000)

static void spins(void)
{
    canon_role_note(CANON_NOTE_LIMIT,
                    "a thread computed for 2 s without a system call or a pthread function while others "
                    "waited: they ran beside it from there on (build what spins with canon-cc, or let it "
                    "call sched_yield)");
}

int canon_turns_start(bool enforced)
{
    canon_serial_limit(SPINNING_NANOS, spins);
    return canon_serial_start(enforced);
}

void canon_turns_begin(struct canon_self *self)
{
    if (!canon_native.serial || !self->lane)
        return;
    self->turns = self->lane;
    canon_serial_begin(self->turns);
}

void canon_turns_rest(void)
{
    if (canon_self.turns)
        canon_serial_rest(canon_self.turns);
}

bool canon_turns_pause(struct canon_self *self, enum canon_turns_way way)
{
    if (!self->turns)
        return false;
    canon_serial_count(self->turns);
    if (way != CANON_TURNS_KEEP)
        return canon_serial_pause(self->turns,
                                  CANON_PAUSE_COUNTED |
                                      (way == CANON_TURNS_LONG ? CANON_PAUSE_LONG : CANON_PAUSE_BRIEF));
    canon_serial_turn(self->turns);
    return false;
}

void canon_turns_resume(struct canon_self *self, bool paused)
{
    if (paused)
        canon_serial_resume(self->turns);
}

/* ---- from the program's own code ----------------------------------------------------------------------- */

static void point_inside(void *self)
{
    canon_serial_turn(((struct canon_self *)self)->turns);
}

static void yield_inside(void *argument)
{
    struct canon_self *self = argument;
    bool paused = canon_turns_pause(self, CANON_TURNS_LONG);
    if (paused)
        canon_raw_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0); /* another one may be on its way to the queue */
    canon_turns_resume(self, paused);
}

static void call_inside(struct canon_self *self, void (*function)(void *))
{
    int error = canon_native_enter(self);
    canon_stack_call(function, self);
    canon_native_leave(self, error);
}

void canon_turns_point_due(struct canon_self *self)
{
    call_inside(self, point_inside);
}

void canon_turns_yield(struct canon_self *self)
{
    if (self->turns && !self->inside)
        call_inside(self, yield_inside);
}
