/*
 * reals.h: the functions of libc that canon stands in front of.
 */
#ifndef CANON_NATIVE_REALS_H
#define CANON_NATIVE_REALS_H

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>

/* X(name, version): with a version where libc has an old function of the same name. */
#define CANON_REALS(X)                                                                                       \
    X(pthread_mutex_lock, NULL)                                                                              \
    X(pthread_mutex_trylock, NULL)                                                                           \
    X(pthread_mutex_timedlock, NULL)                                                                         \
    X(pthread_mutex_clocklock, NULL)                                                                         \
    X(pthread_mutex_unlock, NULL)                                                                            \
    X(pthread_mutex_destroy, NULL)                                                                           \
    X(pthread_cond_wait, "GLIBC_2.3.2")                                                                      \
    X(pthread_cond_timedwait, "GLIBC_2.3.2")                                                                 \
    X(pthread_cond_clockwait, NULL)                                                                          \
    X(pthread_cond_signal, "GLIBC_2.3.2")                                                                    \
    X(pthread_cond_broadcast, "GLIBC_2.3.2")                                                                 \
    X(pthread_cond_destroy, "GLIBC_2.3.2")                                                                   \
    X(pthread_rwlock_rdlock, NULL)                                                                           \
    X(pthread_rwlock_tryrdlock, NULL)                                                                        \
    X(pthread_rwlock_timedrdlock, NULL)                                                                      \
    X(pthread_rwlock_clockrdlock, NULL)                                                                      \
    X(pthread_rwlock_wrlock, NULL)                                                                           \
    X(pthread_rwlock_trywrlock, NULL)                                                                        \
    X(pthread_rwlock_timedwrlock, NULL)                                                                      \
    X(pthread_rwlock_clockwrlock, NULL)                                                                      \
    X(pthread_rwlock_unlock, NULL)                                                                           \
    X(pthread_spin_lock, NULL)                                                                               \
    X(pthread_spin_trylock, NULL)                                                                            \
    X(pthread_spin_unlock, NULL)                                                                             \
    X(pthread_barrier_wait, NULL)                                                                            \
    X(pthread_barrier_destroy, NULL)                                                                         \
    X(pthread_once, NULL)                                                                                    \
    X(pthread_key_create, NULL)                                                                              \
    X(pthread_key_delete, NULL)                                                                              \
    X(pthread_create, NULL)                                                                                  \
    X(pthread_join, NULL)                                                                                    \
    X(pthread_tryjoin_np, NULL)                                                                              \
    X(pthread_timedjoin_np, NULL)                                                                            \
    X(pthread_clockjoin_np, NULL)                                                                            \
    X(pthread_detach, NULL)                                                                                  \
    X(pthread_setname_np, NULL)                                                                              \
    X(pthread_getname_np, NULL)                                                                              \
    X(pthread_getattr_np, NULL)                                                                              \
    X(pthread_cancel, NULL)                                                                                  \
    X(sem_wait, NULL)                                                                                        \
    X(sem_trywait, NULL)                                                                                     \
    X(sem_timedwait, NULL)                                                                                   \
    X(sem_clockwait, NULL)                                                                                   \
    X(sem_post, NULL)                                                                                        \
    X(sem_getvalue, NULL)

struct canon_reals {
#define X(name, version) __typeof__(name) *name;
    CANON_REALS(X)
#undef X
};
extern struct canon_reals canon_reals;
extern void *canon_real_dlopen __attribute__((visibility("hidden")));

/* Finds them all; false if one is missing. */
bool canon_reals_find(void);

#endif
