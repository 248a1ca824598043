/* Locks that are not got: at once, or in time; and waits that end by themselves. */
#include "trail.h"

#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, notes = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static unsigned long seen;

static struct timespec soon(long nanos)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += nanos;
    if (time.tv_nsec >= 1000000000) {
        time.tv_nsec -= 1000000000;
        time.tv_sec++;
    }
    return time;
}

static void *work(void *number)
{
    for (int i = 0; i < 400; i++) {
        struct timespec until = soon(30000);
        int tried = pthread_mutex_trylock(&mutex);
        int timed = tried ? pthread_mutex_timedlock(&mutex, &until) : 0;
        if (!tried || !timed) {
            for (volatile int turn = 0; turn < 3000; turn++)
                ;
            if (i % 16 == 0) {
                until = soon(200000);
                tried += pthread_cond_timedwait(&never, &mutex, &until);
            }
            pthread_mutex_unlock(&mutex);
        }
        pthread_mutex_lock(&notes);
        seen = trail_add(seen, (unsigned long)(tried * 1000 + timed * 10) + (unsigned long)number);
        pthread_mutex_unlock(&notes);
    }
    return NULL;
}

int main(void)
{
    crew_run(work);
    printf("%lx\n", seen);
    return 0;
}
