/*
 * mutex.c: mutexes of all kinds, and condition variables, which let go of one and take it again.
 *
 * Recording, they are libc's. The word of who had the mutex last is in the mutex itself, in the links of the
 * list of robust mutexes, which others do not use; it is read and written by who has the mutex. A replay
 * takes no locks at all: an operation waits until those are done that it had come after, and that is all that
 * a lock is for.
 */
#include "native/insitu/insitu.h"
#include "native/ordered.h"
#include "native/reals.h"
#include "native/signals.h"
#include "native/stack.h"
#include "native/turns.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>

enum { KIND_TYPE = 3, KIND_SPECIAL = 0xf0 }; /* robust, priorities, shared between processes */

#define LANE_SHIFT 48
#define COUNT_MASK ((UINT64_C(1) << LANE_SHIFT) - 1)

/* Where the word is: lane and count in one. NULL: it is one of canon_word_of. */
static uint64_t *word_in(pthread_mutex_t *mutex)
{
    return mutex->__data.__kind & KIND_SPECIAL ? NULL : (uint64_t *)&mutex->__data.__list;
}

/* Recorder, with the mutex. */
static void acquired(struct canon_self *self, pthread_mutex_t *mutex, int result)
{
    uint64_t *word = word_in(mutex);
    struct canon_word *shared = word ? NULL : canon_word_of(mutex);
    if (shared)
        canon_touch_begin(self, shared);
    else
        canon_lane_follow_to(self->lane, (int)(*word >> LANE_SHIFT), (int64_t)(*word & COUNT_MASK));
    if (result)
        canon_due_put(self, result);
    if (shared)
        canon_touch_end(self, shared);
    else
        canon_lane_done(self->lane);
}

static void releases(struct canon_self *self, pthread_mutex_t *mutex)
{
    uint64_t *word = word_in(mutex);
    if (!word) {
        canon_touch(self, canon_word_of(mutex));
        return;
    }
    canon_lane_done(self->lane);
    *word = (uint64_t)self->lane->number << LANE_SHIFT | (uint64_t)canon_lane_operations(self->lane);
}

/* Recorder: an operation that did not succeed, and of which nobody else sees anything. */
static void failed(struct canon_self *self, int result)
{
    canon_due_put(self, result);
    canon_lane_done(self->lane);
}

/* Replayer: any operation. */
static int replay(struct canon_self *self)
{
    int result = 0;
    canon_lane_begin(self->lane);
    canon_due_get(self, &result);
    canon_lane_done(self->lane);
    return result;
}

/* ---- locking ------------------------------------------------------------------------------------------- */

enum how { LOCK, TRY, TIMED, CLOCK };

static int really_lock(pthread_mutex_t *mutex, enum how how, clockid_t clock, const struct timespec *until)
{
    return how == LOCK    ? canon_reals.pthread_mutex_lock(mutex)
           : how == TRY   ? canon_reals.pthread_mutex_trylock(mutex)
           : how == TIMED ? canon_reals.pthread_mutex_timedlock(mutex, until)
                          : canon_reals.pthread_mutex_clocklock(mutex, clock, until);
}

static int record_lock(struct canon_self *self, pthread_mutex_t *mutex, enum how how, clockid_t clock,
                       const struct timespec *until)
{
    int result = canon_reals.pthread_mutex_trylock(mutex);
    if (result && result != EOWNERDEAD && how != TRY) {
        canon_signals_wait_begins(self);
        if (CANON_INSITU_POINT(self)) {
            canon_signals_wait_begins(self);
            return replay(self);
        }
        result = really_lock(mutex, how, clock, until);
        canon_insitu_leave(self);
        canon_signals_wait_ended(self);
    }
    if (result && result != EOWNERDEAD)
        failed(self, result);
    else
        acquired(self, mutex, result);
    return result;
}

/* One call, on its way to canon's own stack. */
struct call {
    pthread_mutex_t *mutex;
    pthread_cond_t *cond;
    enum how how;
    clockid_t clock;
    const struct timespec *until;
    int (*wake)(pthread_cond_t *);
    int result;
};

/* Runs `function` with the thread inside. */
static int call_inside(struct canon_self *self, void (*function)(void *), struct call *call)
{
    int error = canon_native_enter(self);
    canon_stack_call(function, call);
    canon_native_leave(self, error);
    return call->result;
}

static void lock_inside(void *argument)
{
    struct canon_self *self = &canon_self;
    struct call *call = argument;
    canon_lock_used(call->mutex, sizeof *call->mutex);
    if (canon_native_replays()) {
        canon_signals_wait_begins(self);
        call->result = replay(self);
    } else {
        call->result = record_lock(self, call->mutex, call->how, call->clock, call->until);
    }
}

static int lock(pthread_mutex_t *mutex, enum how how, clockid_t clock, const struct timespec *until)
{
    struct canon_self *self = &canon_self;
    if (!canon_ordered(self)) {
        canon_turns_point(self);
        return really_lock(mutex, how, clock, until);
    }
    struct call call = {.mutex = mutex, .how = how, .clock = clock, .until = until};
    return call_inside(self, lock_inside, &call);
}

/* ---- the usual case: a plain mutex that is free, and a thread that comes after the last owner anyway
 * ---------- */

/* The mutex is one of which libc keeps no more than a lock, an owner and a count. */
static inline bool is_plain(const struct canon_self *self, const pthread_mutex_t *mutex)
{
    return self->counts && !self->inside && mutex->__data.__kind == 0;
}

/*
 * The thread is inside from here on, whether it records is decided after that, and what follows from it is
 * over before it leaves: no snapshot comes in between, with a thread that has decided and did not do it.
 */
static inline bool enter_plain(struct canon_self *self)
{
    self->inside++;
    atomic_signal_fence(memory_order_seq_cst);
    return canon_native.records;
}

static inline void leave_plain(struct canon_self *self)
{
    atomic_signal_fence(memory_order_seq_cst);
    self->inside--;
}

/* As canon_lane_done, where nobody waits for the lane. */
static inline int64_t count_one(struct canon_lane *lane)
{
    int64_t count = atomic_load_explicit(&lane->count, memory_order_relaxed) + CANON_LANE_STEP;
    atomic_store_explicit(&lane->count, count, memory_order_release);
    return count;
}

/* libc's way to lock it, if nobody has it. */
static inline bool try_plain(struct canon_self *self, pthread_mutex_t *mutex)
{
    int free = 0;
    if (!__atomic_compare_exchange_n(&mutex->__data.__lock, &free, 1, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
        return false;
    mutex->__data.__owner = self->real_tid;
    mutex->__data.__nusers++;
    return true;
}

/* What is left to do is done on canon's own stack: raw.S. */
int canon_mutex_lock(pthread_mutex_t *mutex);
int canon_mutex_lock_inside(pthread_mutex_t *mutex);
int canon_mutex_follow(pthread_mutex_t *mutex);
int canon_mutex_follow_inside(pthread_mutex_t *mutex);
int canon_mutex_unlock(pthread_mutex_t *mutex);
int canon_mutex_unlock_inside(pthread_mutex_t *mutex);
int canon_mutex_wake(pthread_mutex_t *mutex);
int canon_mutex_wake_inside(pthread_mutex_t *mutex);

/* It has the mutex, and comes after its last owner. */
int canon_mutex_follow_inside(pthread_mutex_t *mutex)
{
    struct canon_self *self = &canon_self;
    int error = errno;
    acquired(self, mutex, 0);
    errno = error;
    leave_plain(self);
    return 0;
}

int canon_mutex_lock_inside(pthread_mutex_t *mutex)
{
    return lock(mutex, LOCK, 0, NULL);
}

static __attribute__((noinline)) int lock_otherwise(pthread_mutex_t *mutex)
{
    return canon_ordered(&canon_self) ? canon_mutex_lock(mutex) : lock(mutex, LOCK, 0, NULL);
}

CANON_EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    struct canon_self *self = &canon_self;
    if (!is_plain(self, mutex))
        return lock_otherwise(mutex);
    if (!enter_plain(self) || !try_plain(self, mutex)) {
        leave_plain(self);
        return canon_mutex_lock(mutex);
    }
    uint64_t word = *word_in(mutex);
    if ((int64_t)(word & COUNT_MASK) > self->counts->seen[word >> LANE_SHIFT])
        return canon_mutex_follow(mutex);
    count_one(self->counts);
    leave_plain(self);
    return 0;
}

/* It has given the mutex back, and others sleep for it. */
int canon_mutex_wake_inside(pthread_mutex_t *mutex)
{
    canon_raw_syscall(SYS_futex, (long)&mutex->__data.__lock, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
    leave_plain(&canon_self);
    return 0;
}

/* Whether somebody is to be woken. */
static inline bool unlock_plain(struct canon_self *self, pthread_mutex_t *mutex)
{
    int64_t count = count_one(self->counts);
    *word_in(mutex) = (uint64_t)self->counts->number << LANE_SHIFT | (uint64_t)(count / CANON_LANE_STEP);
    mutex->__data.__owner = 0;
    mutex->__data.__nusers--;
    return __atomic_exchange_n(&mutex->__data.__lock, 0, __ATOMIC_RELEASE) > 1;
}

CANON_EXPORT int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    return lock(mutex, TRY, 0, NULL);
}

CANON_EXPORT int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
    return lock(mutex, TIMED, 0, until);
}

CANON_EXPORT int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                                         const struct timespec *until)
{
    return lock(mutex, CLOCK, clock, until);
}

/* Whether libc will refuse: the mutex is of a kind that knows its owner, and that is another thread. */
static bool is_refused(const pthread_mutex_t *mutex)
{
    int type = mutex->__data.__kind & KIND_TYPE;
    return (type == PTHREAD_MUTEX_RECURSIVE_NP || type == PTHREAD_MUTEX_ERRORCHECK_NP) &&
           mutex->__data.__owner != (int)canon_raw_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

static void unlock_inside(void *argument)
{
    struct canon_self *self = &canon_self;
    struct call *call = argument;
    canon_lock_used(call->mutex, sizeof *call->mutex);
    if (canon_native_replays()) {
        call->result = replay(self);
    } else if (is_refused(call->mutex)) {
        call->result = canon_reals.pthread_mutex_unlock(call->mutex);
        failed(self, call->result);
    } else {
        releases(self, call->mutex);
        call->result = canon_reals.pthread_mutex_unlock(call->mutex);
    }
}

int canon_mutex_unlock_inside(pthread_mutex_t *mutex)
{
    struct call call = {.mutex = mutex};
    return call_inside(&canon_self, unlock_inside, &call);
}

CANON_EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    struct canon_self *self = &canon_self;
    if (!canon_ordered(self))
        return canon_reals.pthread_mutex_unlock(mutex);
    if (!is_plain(self, mutex))
        return canon_mutex_unlock(mutex);
    if (!enter_plain(self)) {
        leave_plain(self);
        return canon_mutex_unlock(mutex);
    }
    if (unlock_plain(self, mutex))
        return canon_mutex_wake(mutex);
    leave_plain(self);
    return 0;
}

/* A replay takes no locks; one that became a replay in its middle finds those that it had taken, for ever. */
CANON_EXPORT int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    int error = canon_native_enter(&canon_self);
    bool imitated = canon_native_replays() && canon_native.threaded;
    int result = imitated ? 0 : canon_reals.pthread_mutex_destroy(mutex);
    canon_native_leave(&canon_self, error);
    return result;
}

/* ---- condition variables ------------------------------------------------------------------------------- */

static int really_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, enum how how, clockid_t clock,
                       const struct timespec *until)
{
    return how == LOCK    ? canon_reals.pthread_cond_wait(cond, mutex)
           : how == TIMED ? canon_reals.pthread_cond_timedwait(cond, mutex, until)
                          : canon_reals.pthread_cond_clockwait(cond, mutex, clock, until);
}

/* Replayer: it has let go of the mutex. */
static int replay_woken(struct canon_self *self)
{
    canon_signals_wait_begins(self);
    int result = replay(self);
    canon_follow(self, NULL);
    return result;
}

static int record_wait(struct canon_self *self, pthread_cond_t *cond, pthread_mutex_t *mutex, enum how how,
                       clockid_t clock, const struct timespec *until)
{
    releases(self, mutex);
    canon_signals_wait_begins(self);
    if (CANON_INSITU_POINT(self))
        return replay_woken(self);
    int result = really_wait(cond, mutex, how, clock, until);
    canon_insitu_leave(self);
    canon_signals_wait_ended(self);
    acquired(self, mutex, result);
    canon_follow(self, canon_word_of(cond));
    return result;
}

static int replay_wait(struct canon_self *self)
{
    replay(self);
    return replay_woken(self);
}

static void wait_inside(void *argument)
{
    struct canon_self *self = &canon_self;
    struct call *call = argument;
    canon_lock_used(call->mutex, sizeof *call->mutex);
    canon_lock_used(call->cond, sizeof *call->cond);
    call->result = canon_native_replays()
                       ? replay_wait(self)
                       : record_wait(self, call->cond, call->mutex, call->how, call->clock, call->until);
}

static int wait_for(pthread_cond_t *cond, pthread_mutex_t *mutex, enum how how, clockid_t clock,
                    const struct timespec *until)
{
    struct canon_self *self = &canon_self;
    if (!canon_ordered(self))
        return really_wait(cond, mutex, how, clock, until);
    struct call call = {.cond = cond, .mutex = mutex, .how = how, .clock = clock, .until = until};
    return call_inside(self, wait_inside, &call);
}

CANON_EXPORT int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    return wait_for(cond, mutex, LOCK, 0, NULL);
}

CANON_EXPORT int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                                        const struct timespec *until)
{
    return wait_for(cond, mutex, TIMED, 0, until);
}

CANON_EXPORT int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                                        const struct timespec *until)
{
    return wait_for(cond, mutex, CLOCK, clock, until);
}

static void wake_inside(void *argument)
{
    struct call *call = argument;
    canon_lock_used(call->cond, sizeof *call->cond);
    canon_touch(&canon_self, canon_word_of(call->cond));
    call->result = canon_native_replays() ? 0 : call->wake(call->cond);
}

static int wake(pthread_cond_t *cond, int (*real)(pthread_cond_t *))
{
    struct canon_self *self = &canon_self;
    if (!canon_ordered(self))
        return real(cond);
    struct call call = {.cond = cond, .wake = real};
    return call_inside(self, wake_inside, &call);
}

CANON_EXPORT int pthread_cond_signal(pthread_cond_t *cond)
{
    return wake(cond, canon_reals.pthread_cond_signal);
}

CANON_EXPORT int pthread_cond_broadcast(pthread_cond_t *cond)
{
    return wake(cond, canon_reals.pthread_cond_broadcast);
}

/* Waits for threads that are just leaving: in a replay there are none in libc's, whatever it says. */
CANON_EXPORT int pthread_cond_destroy(pthread_cond_t *cond)
{
    if (canon_native.serial)
        return canon_reals.pthread_cond_destroy(cond);
    int error = canon_native_enter(&canon_self);
    bool imitated = canon_native_replays() && canon_native.threaded;
    int result = imitated ? 0 : canon_reals.pthread_cond_destroy(cond);
    canon_native_leave(&canon_self, error);
    return result;
}
