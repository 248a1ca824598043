/* Who has a mutex when: of the usual kind, a recursive one, one that checks. */
#include "trail.h"

#include <errno.h>

static pthread_mutex_t usual = PTHREAD_MUTEX_INITIALIZER, recursive, checking;
static unsigned long seen, seen_twice;

static void *work(void *number)
{
    for (int i = 0; i < 3000; i++) {
        pthread_mutex_lock(&usual);
        seen = trail_add(seen, (unsigned long)number);
        pthread_mutex_unlock(&usual);
        pthread_mutex_lock(&recursive);
        pthread_mutex_lock(&recursive);
        seen_twice = trail_add(seen_twice, (unsigned long)number);
        pthread_mutex_unlock(&recursive);
        pthread_mutex_unlock(&recursive);
        if (pthread_mutex_unlock(&checking) != EPERM)
            abort();
        pthread_mutex_lock(&checking);
        if (pthread_mutex_lock(&checking) != EDEADLK)
            abort();
        pthread_mutex_unlock(&checking);
    }
    return NULL;
}

int main(void)
{
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checking, &kind);
    crew_run(work);
    printf("%lx %lx\n", seen, seen_twice);
    return 0;
}
