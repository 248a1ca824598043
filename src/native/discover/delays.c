/*
 * delays.c: threads are late, by chance, where they have let others go on: a race shows only when two threads
 * come there with nothing between them, and that is when one of them was late.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { NANOS_MOST = 1600000000, ONE_IN = 3 };

static int64_t now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec * INT64_C(1000000000) + at.tv_nsec;
}

static uint64_t next(void)
{
    static __thread uint64_t state;
    if (!state)
        state = ((uint64_t)now() ^ (uint64_t)&state) | 1;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1du >> 20;
}

/* A thread is late for half of its time at most. */
static void maybe_late(void)
{
    static __thread int64_t begun, slept;
    if (!begun)
        begun = now();
    uint64_t chance = next();
    if (chance % ONE_IN || slept > (now() - begun) / 2)
        return;
    int64_t nanos = NANOS_MOST >> chance / ONE_IN % 8; /* long ones and short ones */
    slept += nanos;
    nanosleep(&(struct timespec){.tv_nsec = nanos}, NULL);
}

/* A function of libc's, with a delay behind it. */
#define LATE(result, name, parameters, arguments)                                                            \
    __attribute__((visibility("default"))) result name parameters                                            \
    {                                                                                                        \
        static result(*real) parameters;                                                                     \
        if (!real)                                                                                           \
            real = (result(*) parameters)dlsym(RTLD_NEXT, #name);                                            \
        result done = real arguments;                                                                        \
        maybe_late();                                                                                        \
        return done;                                                                                         \
    }

LATE(int, pthread_mutex_unlock, (pthread_mutex_t * mutex), (mutex))
LATE(int, pthread_rwlock_unlock, (pthread_rwlock_t * lock), (lock))
LATE(int, pthread_cond_signal, (pthread_cond_t * condition), (condition))
LATE(int, pthread_cond_broadcast, (pthread_cond_t * condition), (condition))
