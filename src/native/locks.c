/*
 * locks.c: what else threads wait for each other with: read-write locks, spin locks, barriers, semaphores.
 * All of them keep their last touch in a word of canon_word_of. As with mutexes, a replay only keeps the
 * order.
 */
#include "native/call.h"
#include "native/insitu/insitu.h"
#include "native/ordered.h"
#include "native/reals.h"
#include "native/signals.h"
#include "native/stack.h"
#include "native/turns.h"

#include <string.h>

/* ---- the pattern --------------------------------------------------------------------------------------- */

/* What each of them does really; an error number. */
struct attempt {
    int (*perform)(const struct attempt *attempt);
    void *thing;
    size_t size; /* of it */
    union {
        int (*plain)(void *);
        int (*timed)(void *, const struct timespec *);
        int (*clocked)(void *, clockid_t, const struct timespec *);
    };
    clockid_t clock;
    const struct timespec *until;
    int result;
    bool by_others; /* it lies in memory that other processes have, too, and use */
};

/* What other processes have left there is an input: the result is an event, and a replay does not do it. */
static void attempt_with_others(void *argument)
{
    struct canon_self *self = &canon_self;
    struct attempt *attempt = argument;
    long result = 0;
    canon_signals_wait_begins(self);
    if (!canon_native_replays() && !CANON_INSITU_POINT(self)) {
        result = attempt->perform(attempt);
        canon_insitu_leave(self);
    }
    canon_signals_wait_ended(self);
    if (canon_call_begin(self, "semaphore", &result))
        canon_call_end(self, "semaphore");
    attempt->result = (int)result;
}

/* Does it, or runs `ordered` in its place, on canon's own stack. */
static int attempt_by(struct attempt *attempt, void (*ordered)(void *))
{
    struct canon_self *self = &canon_self;
    bool is_input = attempt->by_others && !canon_ordered(self) && canon_native_looks(self);
    if (!canon_ordered(self) && !is_input)
        return attempt->perform(attempt);
    int error = canon_native_enter(self);
    canon_stack_call(is_input ? attempt_with_others : ordered, attempt);
    canon_native_leave(self, error);
    return attempt->result;
}

static void take_ordered(void *argument)
{
    struct canon_self *self = &canon_self;
    struct attempt *attempt = argument;
    struct canon_word *word = canon_word_of(attempt->thing);
    int result = 0;
    canon_lock_used(attempt->thing, attempt->size);
    canon_signals_wait_begins(self);
    if (!canon_native_replays() && !CANON_INSITU_POINT(self)) {
        result = attempt->perform(attempt);
        canon_insitu_leave(self);
    } else if (canon_insitu) {
        canon_signals_wait_begins(self); /* it was put back to here, perhaps */
    }
    canon_signals_wait_ended(self);
    canon_touch_begin(self, word);
    if (canon_native_replays())
        canon_due_get(self, &result);
    else if (result)
        canon_due_put(self, result);
    canon_touch_end(self, word);
    attempt->result = result;
}

static void give_ordered(void *argument)
{
    struct attempt *attempt = argument;
    canon_lock_used(attempt->thing, attempt->size);
    canon_touch(&canon_self, canon_word_of(attempt->thing));
    attempt->result = canon_native_replays() ? 0 : attempt->perform(attempt);
}

/* Takes something: the operation is done when it has it, or has failed. */
static int take(struct attempt *attempt)
{
    canon_turns_point(&canon_self);
    return attempt_by(attempt, take_ordered);
}

/* Lets go of something: the operation is done before anybody can have it. */
static int give(struct attempt *attempt)
{
    return attempt_by(attempt, give_ordered);
}

static int perform_plain(const struct attempt *attempt)
{
    return attempt->plain(attempt->thing);
}

static int perform_timed(const struct attempt *attempt)
{
    return attempt->timed(attempt->thing, attempt->until);
}

static int perform_clocked(const struct attempt *attempt)
{
    return attempt->clocked(attempt->thing, attempt->clock, attempt->until);
}

#define ATTEMPT(how, on, ...)                                                                                \
    (&(struct attempt){.perform = how, .thing = (void *)on, .size = sizeof *on, __VA_ARGS__})
#define PLAIN_OF(name) .plain = (int (*)(void *))canon_reals.name
#define TIMED_OF(name) .timed = (int (*)(void *, const struct timespec *))canon_reals.name
#define CLOCKED_OF(name) .clocked = (int (*)(void *, clockid_t, const struct timespec *))canon_reals.name

#define PLAIN(way, name, type)                                                                               \
    CANON_EXPORT int name(type *thing)                                                                       \
    {                                                                                                        \
        return way(ATTEMPT(perform_plain, thing, PLAIN_OF(name)));                                           \
    }
#define TIMED(way, name, type)                                                                               \
    CANON_EXPORT int name(type *thing, const struct timespec *until)                                         \
    {                                                                                                        \
        return way(ATTEMPT(perform_timed, thing, TIMED_OF(name), .until = until));                           \
    }
#define CLOCKED(way, name, type)                                                                             \
    CANON_EXPORT int name(type *thing, clockid_t clock, const struct timespec *until)                        \
    {                                                                                                        \
        return way(ATTEMPT(perform_clocked, thing, CLOCKED_OF(name), .clock = clock, .until = until));       \
    }

PLAIN(take, pthread_rwlock_rdlock, pthread_rwlock_t)
PLAIN(take, pthread_rwlock_tryrdlock, pthread_rwlock_t)
TIMED(take, pthread_rwlock_timedrdlock, pthread_rwlock_t)
CLOCKED(take, pthread_rwlock_clockrdlock, pthread_rwlock_t)
PLAIN(take, pthread_rwlock_wrlock, pthread_rwlock_t)
PLAIN(take, pthread_rwlock_trywrlock, pthread_rwlock_t)
TIMED(take, pthread_rwlock_timedwrlock, pthread_rwlock_t)
CLOCKED(take, pthread_rwlock_clockwrlock, pthread_rwlock_t)
PLAIN(give, pthread_rwlock_unlock, pthread_rwlock_t)
PLAIN(take, pthread_spin_trylock, pthread_spinlock_t)
PLAIN(give, pthread_spin_unlock, pthread_spinlock_t)

/* In turns, who has it does not run while others spin. */
CANON_EXPORT int pthread_spin_lock(pthread_spinlock_t *lock)
{
    if (!canon_self.turns)
        return take(ATTEMPT(perform_plain, lock, PLAIN_OF(pthread_spin_lock)));
    while (canon_reals.pthread_spin_trylock(lock))
        canon_turns_yield(&canon_self);
    return 0;
}

/* ---- barriers ------------------------------------------------------------------------------------------ */

static void arrive(void *barrier)
{
    canon_touch(&canon_self, canon_word_of(barrier));
}

/* Arriving is an operation, and leaving, which comes after all arrivals. */
CANON_EXPORT int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    struct canon_self *self = &canon_self;
    if (canon_ordered(self)) {
        int error = canon_native_enter(self);
        canon_stack_call(arrive, barrier);
        canon_native_leave(self, error);
    }
    return take(ATTEMPT(perform_plain, barrier, PLAIN_OF(pthread_barrier_wait)));
}

CANON_EXPORT int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
    if (canon_native.serial)
        return canon_reals.pthread_barrier_destroy(barrier);
    int error = canon_native_enter(&canon_self);
    bool imitated = canon_native_replays() && canon_native.threaded;
    int result = imitated ? 0 : canon_reals.pthread_barrier_destroy(barrier);
    canon_native_leave(&canon_self, error);
    return result;
}

/* ---- semaphores: errors are in errno ------------------------------------------------------------------- */

static int by_errno(int result)
{
    if (!result)
        return 0;
    errno = result;
    return -1;
}

/* As sem_init or sem_open has noted behind the value. */
static bool is_of_processes(const sem_t *sem)
{
    int noted;
    memcpy(&noted, (const char *)sem + 8, sizeof noted);
    return noted != 0;
}

static int perform_sem(const struct attempt *attempt)
{
    return attempt->plain(attempt->thing) ? errno : 0;
}

static int perform_sem_timed(const struct attempt *attempt)
{
    return attempt->timed(attempt->thing, attempt->until) ? errno : 0;
}

static int perform_sem_clocked(const struct attempt *attempt)
{
    return attempt->clocked(attempt->thing, attempt->clock, attempt->until) ? errno : 0;
}

#define OF_SEMAPHORE(...) __VA_ARGS__, .by_others = is_of_processes(sem)

CANON_EXPORT int sem_wait(sem_t *sem)
{
    return by_errno(take(ATTEMPT(perform_sem, sem, OF_SEMAPHORE(PLAIN_OF(sem_wait)))));
}

CANON_EXPORT int sem_trywait(sem_t *sem)
{
    return by_errno(take(ATTEMPT(perform_sem, sem, OF_SEMAPHORE(PLAIN_OF(sem_trywait)))));
}

CANON_EXPORT int sem_timedwait(sem_t *sem, const struct timespec *until)
{
    return by_errno(
        take(ATTEMPT(perform_sem_timed, sem, OF_SEMAPHORE(TIMED_OF(sem_timedwait), .until = until))));
}

CANON_EXPORT int sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *until)
{
    return by_errno(take(ATTEMPT(perform_sem_clocked, sem,
                                 OF_SEMAPHORE(CLOCKED_OF(sem_clockwait), .clock = clock, .until = until))));
}

CANON_EXPORT int sem_post(sem_t *sem)
{
    return by_errno(give(ATTEMPT(perform_sem, sem, OF_SEMAPHORE(PLAIN_OF(sem_post)))));
}

/* How many there are depends on what all threads have done: it is an input like others. */
CANON_EXPORT int sem_getvalue(sem_t *sem, int *value)
{
    struct canon_self *self = &canon_self;
    if (!canon_ordered(self) && !(is_of_processes(sem) && canon_native_looks(self)))
        return canon_reals.sem_getvalue(sem, value);
    int error = canon_native_enter(self);
    long now = 0;
    if (canon_has_order(self))
        canon_touch(self, canon_word_of(sem));
    if (!canon_native_replays()) {
        canon_reals.sem_getvalue(sem, value);
        now = *value;
    }
    if (canon_call_begin(self, "sem_getvalue", &now))
        canon_call_end(self, "sem_getvalue");
    *value = (int)now;
    canon_native_leave(self, error);
    return 0;
}
