/*
 * once.c: pthread_once, and static variables of C++ functions, whose first user makes them.
 *
 * Who is first is an event ("result", 1). A call of pthread_once is one operation for all others; who runs
 * the routine has two. A guard of C++ that is set is not asked for again by compiled code: so only who makes
 * the variable counts, and a replay knows by that who it will be.
 */
#include "native/insitu/insitu.h"
#include "native/ordered.h"
#include "native/reals.h"
#include "native/signals.h"

#include <dlfcn.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>

enum { NEW = 0, BUSY = 1, DONE = 2 }; /* as libc has it */

static void await_done(_Atomic int *state)
{
    for (int now; (now = atomic_load(state)) != DONE;)
        canon_raw_syscall(SYS_futex, (long)state, FUTEX_WAIT_PRIVATE, now, 0, 0, 0);
}

static void set_done(_Atomic int *state)
{
    atomic_store(state, DONE);
    canon_raw_syscall(SYS_futex, (long)state, FUTEX_WAKE_PRIVATE, INT32_MAX, 0, 0, 0);
}

static bool replay_first(struct canon_self *self, struct canon_word *word)
{
    int first = 0;
    canon_signals_wait_begins(self);
    canon_touch_begin(self, word);
    canon_due_get(self, &first);
    canon_touch_end(self, word);
    return first;
}

/* Whether this thread is to run the routine; else it has been run. Recorder. */
static bool record_first(struct canon_self *self, _Atomic int *state, struct canon_word *word)
{
    int now = NEW;
    bool first = atomic_compare_exchange_strong(state, &now, BUSY);
    if (!first) {
        canon_signals_wait_begins(self);
        if (CANON_INSITU_POINT(self))
            return replay_first(self, word);
        await_done(state);
        canon_insitu_leave(self);
        canon_signals_wait_ended(self);
    }
    canon_touch_begin(self, word);
    if (first)
        canon_due_put(self, 1);
    canon_touch_end(self, word);
    return first;
}

CANON_EXPORT int pthread_once(pthread_once_t *control, void (*routine)(void))
{
    struct canon_self *self = &canon_self;
    _Atomic int *state = (_Atomic int *)control;
    if (!canon_ordered(self))
        return canon_reals.pthread_once(control, routine);
    int error = canon_native_enter(self);
    struct canon_word *word = canon_word_of(control);
    bool first = canon_native_replays() ? replay_first(self, word) : record_first(self, state, word);
    if (first) {
        canon_native_leave(self, error);
        routine();
        error = canon_native_enter(self);
        canon_touch(self, word);
        set_done(state);
    }
    canon_native_leave(self, error);
    return 0;
}

/* ---- static variables of C++ functions ----------------------------------------------------------------- */

enum { MAKES = 0x6d616b65 }; /* what `result` says of who makes the variable */

typedef int (*guard_fn)(uint64_t *guard);

/* Replay: the operation that comes next may have a result already, which is not about this. */
static int replay_guard(struct canon_self *self, uint64_t *guard, guard_fn real)
{
    canon_lane_begin(self->lane);
    if (self->due && self->due_result == MAKES) {
        self->due = false;
        canon_lane_done(self->lane);
        return real(guard);
    }
    for (int i = 0; !(atomic_load((_Atomic uint64_t *)guard) & 255); i++)
        canon_raw_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
    return 0;
}

CANON_EXPORT int __cxa_guard_acquire(uint64_t *guard);
int __cxa_guard_acquire(uint64_t *guard)
{
    static guard_fn real;
    struct canon_self *self = &canon_self;
    if (!real)
        real = (guard_fn)dlsym(RTLD_NEXT, "__cxa_guard_acquire");
    if (!canon_ordered(self))
        return real(guard);
    int error = canon_native_enter(self), result;
    if (canon_native_replays()) {
        result = replay_guard(self, guard, real);
    } else {
        result = real(guard);
        if (result) {
            canon_due_put(self, MAKES);
            canon_lane_done(self->lane);
        }
    }
    canon_native_leave(self, error);
    return result;
}
