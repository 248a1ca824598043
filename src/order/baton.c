/* baton.c: see baton.h. */
#include "order/baton.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    FIRST_NAP_NANOS = 50000,    /* of the first in the queue: it looks again whether the baton is lent, */
    LAST_NAP_NANOS = 1000000,   /* ever more seldom */
    QUEUE_NAP_NANOS = 50000000, /* of the others */
    SLICE_NANOS = 1000000,      /* how long a strand runs undisturbed while others want to, */
    STEADY_NANOS = 500000000,   /* and one that is steady */
    BLOCKED_NANOS = 200000000,  /* how long a holder sleeps before the baton is taken from it */
};

/* The holder's number, and whether it has lent it; 0: nobody's. */
enum { LENT = 1 };
static _Atomic uint64_t baton;

/* Protects the queue, the numbers of turns, and who gets the baton from whom; leaf lock. The holder lends and
 * recovers without it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t limit_nanos = INT64_MAX;
static void (*limit_told)(void);
static struct canon_lane *_Atomic first;
static struct canon_lane *last;
static int64_t turns;

static uint64_t held_by(const struct canon_lane *lane)
{
    return (uint64_t)lane->number << 1;
}

static int64_t now_nanos(clockid_t clock)
{
    struct timespec time = {0};
    clock_gettime(clock, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

bool canon_thread_sleeps(int thread)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *name_end = strrchr(text, ')');
    return name_end && strncmp(name_end, ") S", 3) == 0;
}

/* ---- the queue: with the lock ------------------------------------------------------------------------- */

static void ring(struct canon_lane *lane)
{
    atomic_fetch_add(&lane->bell, 1);
    syscall(SYS_futex, &lane->bell, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static void append(struct canon_lane *lane)
{
    lane->behind = NULL;
    lane->granted = false;
    if (first)
        last->behind = lane;
    else
        first = lane;
    last = lane;
}

static void take_out(struct canon_lane *lane)
{
    struct canon_lane *before = first;
    if (before == lane) {
        first = lane->behind;
    } else {
        while (before->behind != lane)
            before = before->behind;
        before->behind = lane->behind;
    }
    if (last == lane)
        last = before == lane ? NULL : before;
    if (first && before == lane)
        ring(first); /* it looks after the others now */
}

/* A new turn begins, of a lane that stands in the queue. */
static void grant(struct canon_lane *lane)
{
    take_out(lane);
    lane->granted = true;
    lane->turn = ++turns;
    lane->pressed = false;
    __atomic_store_n(&lane->next, INT64_MAX, __ATOMIC_RELAXED);
}

static void pass_on(void)
{
    struct canon_lane *lane = first;
    if (!lane) {
        baton = 0;
        return;
    }
    baton = held_by(lane);
    grant(lane);
    ring(lane);
}

/* ---- who is in front ---------------------------------------------------------------------------------- */

/* What the first in the queue has seen of the holder. */
struct watch {
    int64_t turn, since;             /* its turn, and since when that is known */
    int64_t count, cpu, still_since; /* since when it sleeps at that count, and the process does nothing */
    int64_t stood, stood_since;      /* since when, by its own clock, it is at that count */
};

static void steal(struct canon_lane *lane, struct canon_lane *holder)
{
    uint64_t held = held_by(holder);
    if (!atomic_compare_exchange_strong(&baton, &held, held_by(lane)))
        return;
    holder->left_at = canon_lane_operations(holder);
    holder->left_open = true;
    grant(lane);
    __atomic_store_n(&holder->next, 0, __ATOMIC_RELAXED);
}

/*
 * A holder that sleeps for long, in a process that does nothing meanwhile (a collection does), is blocked by
 * somebody who needs the baton.
 */
static bool is_blocked(struct watch *watch, struct canon_lane *holder, int64_t now)
{
    int64_t count = atomic_load(&holder->count), cpu = now_nanos(CLOCK_PROCESS_CPUTIME_ID);
    bool still = watch->still_since && count == watch->count &&
                 cpu - watch->cpu <= (now - watch->still_since) / 5 + LAST_NAP_NANOS &&
                 canon_thread_sleeps(holder->thread);
    if (!still) {
        watch->count = count;
        watch->cpu = cpu;
        watch->still_since = now;
    }
    return now - watch->still_since > BLOCKED_NANOS;
}

/* How long the thread has computed: on a busy machine that is less than the time that has passed. */
static int64_t computed_nanos(int thread)
{
    enum { OF_THREAD = 4, SCHEDULED = 2 }; /* as the kernel numbers clocks of threads */
    return now_nanos((clockid_t)(~(unsigned)thread << 3 | OF_THREAD | SCHEDULED));
}

static bool is_spinning(struct watch *watch, struct canon_lane *holder)
{
    int64_t count = atomic_load(&holder->count), now = computed_nanos(holder->thread);
    if (!watch->stood_since || watch->stood != count) {
        watch->stood = count;
        watch->stood_since = now;
    }
    if (now - watch->stood_since < limit_nanos)
        return false;
    limit_told();
    return true;
}

static void urge(struct canon_lane *lane, struct watch *watch)
{
    struct canon_lane *holder = canon_lane_at((int)(baton >> 1));
    int64_t now = now_nanos(CLOCK_MONOTONIC);
    if (watch->turn != turns) {
        *watch = (struct watch){.turn = turns, .since = now};
    } else if (now - watch->since >= SLICE_NANOS) {
        holder->pressed = now - watch->since >= STEADY_NANOS;
        __atomic_store_n(&holder->next, 0, __ATOMIC_RELAXED);
        if (is_blocked(watch, holder, now) || is_spinning(watch, holder))
            steal(lane, holder);
    }
}

static bool take_idle(struct canon_lane *lane)
{
    uint64_t state = baton;
    if ((state && !(state & LENT)) || !atomic_compare_exchange_strong(&baton, &state, held_by(lane)))
        return false;
    grant(lane);
    return true;
}

static void nap(struct canon_lane *lane, long nanos)
{
    uint32_t bell = atomic_load(&lane->bell);
    pthread_mutex_unlock(&lock);
    struct timespec limit = {.tv_nsec = nanos};
    syscall(SYS_futex, &lane->bell, FUTEX_WAIT_PRIVATE, bell, &limit, NULL, 0);
    pthread_mutex_lock(&lock);
}

static bool wait_in_queue(struct canon_lane *lane)
{
    struct watch watch = {0};
    long pause = FIRST_NAP_NANOS;
    while (!lane->granted) {
        bool leads = first == lane;
        if (leads && take_idle(lane))
            break;
        if (canon_role_now() != CANON_ROLE_RECORDER && !canon_role_is_over()) {
            take_out(lane);
            return false;
        }
        if (leads)
            urge(lane, &watch);
        if (lane->granted)
            break;
        nap(lane, leads ? pause : QUEUE_NAP_NANOS);
        if (leads && pause < LAST_NAP_NANOS)
            pause *= 2;
    }
    return true;
}

/* ---- taking and giving -------------------------------------------------------------------------------- */

bool canon_baton_take(struct canon_lane *lane)
{
    pthread_mutex_lock(&lock);
    append(lane);
    bool taken = wait_in_queue(lane);
    pthread_mutex_unlock(&lock);
    return taken;
}

bool canon_baton_rotate(struct canon_lane *lane)
{
    pthread_mutex_lock(&lock);
    append(lane);
    if (canon_baton_is_held_by(lane)) /* it may have been stolen */
        pass_on();
    bool taken = wait_in_queue(lane);
    pthread_mutex_unlock(&lock);
    return taken;
}

void canon_baton_drop(struct canon_lane *lane)
{
    pthread_mutex_lock(&lock);
    if (canon_baton_is_held_by(lane))
        pass_on();
    pthread_mutex_unlock(&lock);
}

void canon_baton_forked(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    baton = 0;
    first = last = NULL;
    turns = 0;
}

void canon_baton_limit(int64_t nanos, void (*told)(void))
{
    limit_nanos = nanos;
    limit_told = told;
}

bool canon_baton_is_wanted(void)
{
    return first != NULL;
}

bool canon_baton_is_held_by(const struct canon_lane *lane)
{
    return baton == held_by(lane);
}

bool canon_baton_is_lent_by(const struct canon_lane *lane)
{
    return baton == (held_by(lane) | LENT);
}

bool canon_baton_lend(struct canon_lane *lane, bool now)
{
    uint64_t held = held_by(lane);
    if (!atomic_compare_exchange_strong(&baton, &held, held | LENT))
        return false;
    if (now && first) {
        pthread_mutex_lock(&lock);
        if (first && canon_baton_is_lent_by(lane))
            pass_on();
        pthread_mutex_unlock(&lock);
    }
    return true;
}

bool canon_baton_recover(struct canon_lane *lane)
{
    uint64_t lent = held_by(lane) | LENT;
    return atomic_compare_exchange_strong(&baton, &lent, held_by(lane));
}
