/*
 * threads.c: see threads.h.
 *
 * A thread's strand is its parent's and the number of the child. Its stack is in a slot of canon's own: libc
 * keeps stacks of threads that have ended for others, as soon as the kernel says so, which nobody can
 * foresee. Which slot a thread gets is in the trace. No thread is really detached: who detached it or it
 * itself would free what libc has for it, depending on who is first. A detached thread is joined when its
 * slot is used again.
 *
 *   slot:  FREE -> USED -> ENDED -> FREE (joined)
 *                              `--> LEFT -> USED (detached: joined when the slot is used again)
 */
#include "native/threads.h"

#include "base/assert.h"
#include "native/arena.h"
#include "native/call.h"
#include "native/detect/evidence.h"
#include "native/detect/watchpoint.h"
#include "native/heap.h"
#include "native/insitu/insitu.h"
#include "native/ordered.h"
#include "native/racy.h"
#include "native/reals.h"
#include "native/signals.h"
#include "native/stack.h"
#include "native/turns.h"
#include "native/zones.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

enum {
    SLOTS = CANON_LANE_COUNT,
    OWN_STACK = 128 << 10, /* more than the program has asked for, for canon's own code */
    DEFAULT_STACK = 8 << 20,
    GUARD = 4096,
};

enum state { FREE, USED, ENDED, LEFT };

struct slot {
    enum state state;
    bool detached;
    pthread_t thread;
    size_t mapped;
    size_t guard; /* as libc would have made it */
};

struct canon_start {
    void *(*routine)(void *);
    void *argument;
    int slot;
    uint64_t mask; /* of signals: all are blocked until the thread has a strand, for its events */
    char name[];   /* of the strand */
};

/* All slots have one word (canon_words.threads): what happens to them is in one order. */
static struct slot slots[SLOTS];

/* ---- a thread's own beginning and end ------------------------------------------------------------------ */

static void open_strand(struct canon_self *self, const char *name)
{
    struct canon_strand *strand = canon_strand_open(name);
    if (canon_native_replays() && !self->is_main)
        canon_strand_rest_at_end(strand); /* it had not begun when the process ended */
    self->lane = canon_lane_open(strand);
    self->heap = canon_heap_at(self->lane ? (int)self->lane->number : 0);
    if (!self->lane)
        self->heap = NULL; /* it shares that of all threads without a lane */
    self->strand = strand;
    self->real_tid = (int)canon_raw_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
    if (canon_native.threaded && !canon_native.serial)
        self->counts = self->lane;
    canon_turns_begin(self);
}

void canon_thread_main(void)
{
    struct canon_self *self = &canon_self;
    self->is_main = true;
    open_strand(self, CANON_STRAND_MAIN);
}

static void begin_strand(void *argument)
{
    struct canon_start *start = argument;
    open_strand(&canon_self, start->name);
}

static void *begin(void *argument)
{
    struct canon_self *self = &canon_self;
    struct canon_start *start = argument;
    self->inside++;
    self->start = start;
    canon_stack_make();
    if (canon_insitu)
        canon_insitu_begins(self);
    canon_insitu_birth(-1);
    canon_stack_call(begin_strand, start);
    if (canon_evidence_searches)
        canon_watchpoints_follow();
    if (canon_native.again)
        canon_insitu_delay(self);
    canon_raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&start->mask, 0, 8, 0, 0);
    self->inside--;
    return start->routine(start->argument);
}

void canon_thread_ends(struct canon_self *self)
{
    if (!self->strand || self->ended || canon_native.mode == CANON_ROLE_PASSTHROUGH)
        return;
    if (canon_native_replays())
        canon_strand_rest_at_end(self->strand);
    if (canon_has_any_order(self) && self->start) {
        canon_touch_begin(self, &canon_words.threads);
        struct slot *slot = &slots[self->start->slot];
        slot->state = slot->detached ? LEFT : ENDED;
        canon_touch_end(self, &canon_words.threads);
    }
    self->ended = true;
    self->counts = self->turns = NULL;
    canon_racy_thread_ends(self);
    canon_stack_leave();
    canon_lane_close(self->lane, self->strand);
    self->strand = NULL;
    self->lane = NULL;
}

/* ---- stacks -------------------------------------------------------------------------------------------- */

static int free_slot(void)
{
    for (int i = 1; i < SLOTS; i++)
        if (slots[i].state == FREE || slots[i].state == LEFT)
            return i;
    return 0;
}

static char *stack_of(int slot)
{
    return (char *)(CANON_ZONE_STACKS + (uint64_t)slot * CANON_ZONE_STACK_SIZE);
}

/* Memory for the slot's stack; what an earlier thread has left there is used again. */
static bool map_stack(int number, size_t size)
{
    struct slot *slot = &slots[number];
    if (slot->mapped >= size)
        return true;
    if (size > CANON_ZONE_STACK_SIZE - 2 * GUARD)
        return false;
    long at = (long)stack_of(number) + GUARD;
    if (canon_raw_syscall(SYS_mmap, at, (long)size, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != at)
        return false;
    slot->mapped = size;
    return true;
}

static size_t default_stack(void)
{
    pthread_attr_t usual;
    size_t size = DEFAULT_STACK;
    if (!pthread_getattr_default_np(&usual)) {
        pthread_attr_getstacksize(&usual, &size);
        pthread_attr_destroy(&usual);
    }
    return size;
}

/* The program's attributes, with the slot's stack, and not detached. */
static bool make_attributes(const pthread_attr_t *wanted, int slot, pthread_attr_t *made, bool *detached)
{
    size_t size = 0, own = 0;
    void *stack = NULL;
    int state = PTHREAD_CREATE_JOINABLE;
    if (pthread_attr_init(made) || pthread_attr_getguardsize(wanted ? wanted : made, &slots[slot].guard))
        return false;
    if (wanted) {
        struct sched_param priority;
        int value;
        pthread_attr_getdetachstate(wanted, &state);
        pthread_attr_getstacksize(wanted, &size);
        pthread_attr_getstack(wanted, &stack, &own);
        if (!pthread_attr_getinheritsched(wanted, &value) && value == PTHREAD_EXPLICIT_SCHED) {
            pthread_attr_setinheritsched(made, value);
            pthread_attr_getschedpolicy(wanted, &value);
            pthread_attr_setschedpolicy(made, value);
            pthread_attr_getschedparam(wanted, &priority);
            pthread_attr_setschedparam(made, &priority);
        }
    }
    *detached = state == PTHREAD_CREATE_DETACHED;
    if ((uintptr_t)stack + own) { /* the program has one itself */
        slots[slot].guard = 0;
        return !pthread_attr_setstack(made, stack, own);
    }
    size = ((size ? size : default_stack()) + OWN_STACK + 4095) & ~(size_t)4095;
    return map_stack(slot, size) && !pthread_attr_setstack(made, stack_of(slot) + GUARD, slots[slot].mapped);
}

/* ---- creating ------------------------------------------------------------------------------------------ */

static struct canon_start *make_start(struct canon_self *self, void *(*routine)(void *), void *argument)
{
    const char *parent = canon_strand_label(self->strand);
    size_t size = strlen(parent) + 16;
    struct canon_start *start = canon_arena_get(sizeof *start + size);
    canon_assert(start);
    start->routine = routine;
    start->argument = argument;
    snprintf(start->name, size, "%s.%d", parent, ++self->children);
    return start;
}

static int create_in(struct slot *slot, pthread_t *thread, const pthread_attr_t *wanted,
                     struct canon_start *start)
{
    pthread_attr_t attributes;
    if (slot->state == LEFT)
        canon_reals.pthread_join(slot->thread, NULL); /* its stack is about to be used again */
    slot->state = FREE;
    if (!make_attributes(wanted, start->slot, &attributes, &slot->detached))
        return EAGAIN;
    uint64_t all = ~(UINT64_C(1) << 62), mask; /* but one: threads are put back from there, too (insitu) */
    canon_raw_syscall(SYS_rt_sigprocmask, SIG_BLOCK, (long)&all, (long)&mask, 8, 0, 0);
    start->mask = mask;
    canon_insitu_birth(1);
    int result = canon_reals.pthread_create(&slot->thread, &attributes, begin, start);
    canon_raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask, 0, 8, 0, 0);
    if (result)
        canon_insitu_birth(-1);
    pthread_attr_destroy(&attributes);
    if (result)
        return result;
    slot->state = USED;
    *thread = slot->thread;
    return 0;
}

/* One call, on its way to canon's own stack. */
struct creation {
    pthread_t *thread;
    const pthread_attr_t *attributes;
    void *(*routine)(void *);
    void *argument;
    int result;
};

static void create_inside(void *argument)
{
    struct canon_self *self = &canon_self;
    struct creation *call = argument;
    struct canon_start *start = make_start(self, call->routine, call->argument);
    canon_touch_begin(self, &canon_words.threads);
    long slot = canon_native_replays() ? 0 : free_slot();
    if (canon_call_begin(self, "pthread_create", &slot))
        canon_call_end(self, "pthread_create");
    start->slot = (int)slot;
    call->result =
        slot > 0 && slot < SLOTS ? create_in(&slots[slot], call->thread, call->attributes, start) : EAGAIN;
    canon_touch_end(self, &canon_words.threads);
    if (call->result)
        canon_arena_put(start);
}

CANON_EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *),
                                void *argument)
{
    struct canon_self *self = &canon_self;
    if (!canon_native_looks(self))
        return canon_reals.pthread_create(thread, attributes, routine, argument);
    struct creation call = {thread, attributes, routine, argument, 0};
    int error = canon_native_enter(self);
    canon_native.threaded = true; /* the only thread says so */
    if (!canon_native.serial)
        self->counts = self->lane;
    canon_stack_call(create_inside, &call);
    canon_native_leave(self, error);
    return call.result;
}

/* ---- joining and detaching ----------------------------------------------------------------------------- */

static struct slot *slot_of(pthread_t thread)
{
    for (int i = 1; i < SLOTS; i++)
        if (slots[i].state != FREE && slots[i].thread == thread)
            return &slots[i];
    return NULL;
}

/* In the order of threads: the thread has ended before. */
static void joined(struct canon_self *self, pthread_t thread, int result)
{
    canon_touch_begin(self, &canon_words.threads);
    if (result && !self->turns)
        canon_due_put(self, result);
    struct slot *slot = result ? NULL : slot_of(thread);
    if (slot)
        slot->state = FREE;
    canon_touch_end(self, &canon_words.threads);
}

/* Replayer: the thread will end, or has. */
static int replay_join(struct canon_self *self, pthread_t thread, void **value)
{
    int result = 0;
    canon_signals_wait_begins(self);
    canon_lane_begin(self->lane);
    bool ended = !canon_due_get(self, &result);
    if (ended)
        result = canon_reals.pthread_join(thread, value);
    canon_touch_begin(self, &canon_words.threads);
    struct slot *slot = ended ? slot_of(thread) : NULL;
    if (slot)
        slot->state = FREE;
    canon_touch_end(self, &canon_words.threads);
    return result;
}

enum how { WAIT, TRY, TIMED, CLOCK };

static int really_join(pthread_t thread, void **value, enum how how, clockid_t clock,
                       const struct timespec *until)
{
    return how == WAIT    ? canon_reals.pthread_join(thread, value)
           : how == TRY   ? canon_reals.pthread_tryjoin_np(thread, value)
           : how == TIMED ? canon_reals.pthread_timedjoin_np(thread, value, until)
                          : canon_reals.pthread_clockjoin_np(thread, value, clock, until);
}

struct joining {
    pthread_t thread;
    void **value;
    enum how how;
    clockid_t clock;
    const struct timespec *until;
    int result;
};

static void join_inside(void *argument)
{
    struct canon_self *self = &canon_self;
    struct joining *call = argument;
    if (canon_native_replays()) {
        call->result = replay_join(self, call->thread, call->value);
        return;
    }
    canon_signals_wait_begins(self);
    if (CANON_INSITU_POINT(self)) {
        call->result = replay_join(self, call->thread, call->value);
        return;
    }
    if (call->how == WAIT)
        canon_insitu_await_end(call->thread);
    else
        call->result = really_join(call->thread, call->value, call->how, call->clock, call->until);
    canon_insitu_leave(self);
    if (call->how == WAIT)
        call->result = really_join(call->thread, call->value, call->how, call->clock, call->until);
    canon_signals_wait_ended(self);
    joined(self, call->thread, call->result);
}

/* In turns. The thread that a replay waits for has had its last turn, and is about to end. */
static void join_in_turns(void *argument)
{
    struct canon_self *self = &canon_self;
    struct joining *call = argument;
    long result = 0;
    canon_signals_wait_begins(self);
    if (!canon_native_replays())
        result = really_join(call->thread, call->value, call->how, call->clock, call->until);
    canon_signals_wait_ended(self);
    if (canon_call_begin(self, "pthread_join", &result))
        canon_call_end(self, "pthread_join");
    if (canon_native_replays() && !result)
        canon_reals.pthread_join(call->thread, call->value);
    joined(self, call->thread, (int)result);
    call->result = (int)result;
}

static int join(pthread_t thread, void **value, enum how how, clockid_t clock, const struct timespec *until)
{
    struct canon_self *self = &canon_self;
    if (!canon_ordered_here(self))
        return really_join(thread, value, how, clock, until);
    struct joining call = {thread, value, how, clock, until, 0};
    int error = canon_native_enter(self);
    canon_stack_call(self->turns ? join_in_turns : join_inside, &call);
    canon_native_leave(self, error);
    return call.result;
}

CANON_EXPORT int pthread_join(pthread_t thread, void **value)
{
    return join(thread, value, WAIT, 0, NULL);
}

CANON_EXPORT int pthread_tryjoin_np(pthread_t thread, void **value)
{
    return join(thread, value, TRY, 0, NULL);
}

CANON_EXPORT int pthread_timedjoin_np(pthread_t thread, void **value, const struct timespec *until)
{
    return join(thread, value, TIMED, 0, until);
}

CANON_EXPORT int pthread_clockjoin_np(pthread_t thread, void **value, clockid_t clock,
                                      const struct timespec *until)
{
    return join(thread, value, CLOCK, clock, until);
}

CANON_EXPORT int pthread_detach(pthread_t thread)
{
    struct canon_self *self = &canon_self;
    if (!canon_ordered_here(self))
        return canon_reals.pthread_detach(thread);
    int error = canon_native_enter(self), result = ESRCH;
    canon_touch_begin(self, &canon_words.threads);
    struct slot *slot = slot_of(thread);
    if (slot) {
        result = slot->detached ? EINVAL : 0;
        slot->detached = true;
        slot->state = slot->state == ENDED ? LEFT : slot->state;
    }
    canon_touch_end(self, &canon_words.threads);
    canon_native_leave(self, error);
    return result;
}

CANON_EXPORT int pthread_cancel(pthread_t thread)
{
    struct canon_self *self = &canon_self;
    if (!canon_ordered_here(self))
        return canon_reals.pthread_cancel(thread);
    int error = canon_native_enter(self);
    canon_role_note(CANON_NOTE_LIMIT,
                    "pthread_cancel: where the thread was when it ended is not in the trace");
    canon_touch(self, &canon_words.threads);
    int result = canon_reals.pthread_cancel(thread);
    canon_native_leave(self, error);
    return result;
}

/* Names are those of real threads, and files of the kernel are called after their real numbers. */
CANON_EXPORT int pthread_setname_np(pthread_t thread, const char *name)
{
    struct canon_self *self = &canon_self;
    int error = canon_native_enter(self), result = canon_reals.pthread_setname_np(thread, name);
    canon_native_leave(self, error);
    return result;
}

CANON_EXPORT int pthread_getname_np(pthread_t thread, char *name, size_t size)
{
    struct canon_self *self = &canon_self;
    int error = canon_native_enter(self), result = canon_reals.pthread_getname_np(thread, name, size);
    canon_native_leave(self, error);
    return result;
}

static void tell_guard(struct canon_self *self, pthread_t thread, pthread_attr_t *attributes)
{
    int error = canon_native_enter(self);
    canon_touch_begin(self, &canon_words.threads);
    struct slot *slot = slot_of(thread);
    if (slot)
        pthread_attr_setguardsize(attributes, (slot->guard + GUARD - 1) & ~(size_t)(GUARD - 1));
    canon_touch_end(self, &canon_words.threads);
    canon_native_leave(self, error);
}

/*
 * libc takes a slot's stack for one of the program's, which has no guard. There is one, and programs rely on
 * it: those in Rust end if a thread has none. libc makes system calls there while it has a lock of the
 * thread's, and at replay those wait for others, who must not come for that lock meanwhile: so a mutex is
 * around it, one of those that have an order.
 */
CANON_EXPORT int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes)
{
    static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;
    struct canon_self *self = &canon_self;
    if (!canon_ordered_here(self))
        return canon_reals.pthread_getattr_np(thread, attributes);
    pthread_mutex_lock(&asking);
    int result = canon_reals.pthread_getattr_np(thread, attributes);
    if (!result)
        tell_guard(self, thread, attributes);
    pthread_mutex_unlock(&asking);
    return result;
}

/* ---- keys of thread-specific data: which number is free depends on all threads --------------------------
 */

CANON_EXPORT int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    struct canon_self *self = &canon_self;
    if (!canon_ordered(self))
        return canon_reals.pthread_key_create(key, destructor);
    int error = canon_native_enter(self);
    canon_touch_begin(self, &canon_words.threads);
    int result = canon_reals.pthread_key_create(key, destructor);
    canon_touch_end(self, &canon_words.threads);
    canon_native_leave(self, error);
    return result;
}

CANON_EXPORT int pthread_key_delete(pthread_key_t key)
{
    struct canon_self *self = &canon_self;
    if (!canon_ordered(self))
        return canon_reals.pthread_key_delete(key);
    int error = canon_native_enter(self);
    canon_touch_begin(self, &canon_words.threads);
    int result = canon_reals.pthread_key_delete(key);
    canon_touch_end(self, &canon_words.threads);
    canon_native_leave(self, error);
    return result;
}
