/*
 * c11.c: threads and locks of C11. libc's call its own pthread functions from inside, past canon: these call
 * canon's.
 */
#include "native/arena.h"
#include "native/native.h"

#include <pthread.h>
#include <threads.h>

/* What C11 says for an error number. */
static int said(int error)
{
    return error == 0           ? thrd_success
           : error == EBUSY     ? thrd_busy
           : error == ETIMEDOUT ? thrd_timedout
           : error == ENOMEM    ? thrd_nomem
                                : thrd_error;
}

/* ---- threads ------------------------------------------------------------------------------------------- */

struct start {
    thrd_start_t routine;
    void *argument;
};

static void *begin(void *argument)
{
    struct start start = *(struct start *)argument;
    canon_arena_put(argument);
    return (void *)(intptr_t)start.routine(start.argument);
}

CANON_EXPORT int thrd_create(thrd_t *thread, thrd_start_t routine, void *argument)
{
    struct start *start = canon_arena_get(sizeof *start);
    if (!start)
        return thrd_nomem;
    *start = (struct start){routine, argument};
    int error = pthread_create(thread, NULL, begin, start);
    if (error)
        canon_arena_put(start);
    return error == EAGAIN ? thrd_nomem : said(error);
}

CANON_EXPORT int thrd_join(thrd_t thread, int *result)
{
    void *value = NULL;
    int error = pthread_join(thread, &value);
    if (result)
        *result = (int)(intptr_t)value;
    return said(error);
}

CANON_EXPORT int thrd_detach(thrd_t thread)
{
    return said(pthread_detach(thread));
}

CANON_EXPORT void call_once(once_flag *flag, void (*routine)(void))
{
    pthread_once((pthread_once_t *)flag, routine);
}

CANON_EXPORT int tss_create(tss_t *key, tss_dtor_t destructor)
{
    return said(pthread_key_create(key, destructor));
}

CANON_EXPORT void tss_delete(tss_t key)
{
    pthread_key_delete(key);
}

/* ---- locks --------------------------------------------------------------------------------------------- */

CANON_EXPORT int mtx_lock(mtx_t *mutex)
{
    return said(pthread_mutex_lock((pthread_mutex_t *)mutex));
}

CANON_EXPORT int mtx_trylock(mtx_t *mutex)
{
    return said(pthread_mutex_trylock((pthread_mutex_t *)mutex));
}

CANON_EXPORT int mtx_timedlock(mtx_t *mutex, const struct timespec *until)
{
    return said(pthread_mutex_timedlock((pthread_mutex_t *)mutex, until));
}

CANON_EXPORT int mtx_unlock(mtx_t *mutex)
{
    return said(pthread_mutex_unlock((pthread_mutex_t *)mutex));
}

CANON_EXPORT int cnd_wait(cnd_t *cond, mtx_t *mutex)
{
    return said(pthread_cond_wait((pthread_cond_t *)cond, (pthread_mutex_t *)mutex));
}

CANON_EXPORT int cnd_timedwait(cnd_t *cond, mtx_t *mutex, const struct timespec *until)
{
    return said(pthread_cond_timedwait((pthread_cond_t *)cond, (pthread_mutex_t *)mutex, until));
}

CANON_EXPORT int cnd_signal(cnd_t *cond)
{
    return said(pthread_cond_signal((pthread_cond_t *)cond));
}

CANON_EXPORT int cnd_broadcast(cnd_t *cond)
{
    return said(pthread_cond_broadcast((pthread_cond_t *)cond));
}

CANON_EXPORT void cnd_destroy(cnd_t *cond)
{
    pthread_cond_destroy((pthread_cond_t *)cond);
}
