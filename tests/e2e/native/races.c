/*
 * Data races: threads look at plain variables and write them back later, with a lock, a yield or a sleep
 * between. record: --order=serial
 */
#include "trail.h"

#include <sched.h>
#include <unistd.h>

enum { ROUNDS = 20000 };

static volatile unsigned long shared, lost[CREW];
static unsigned long trails[CREW];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *number)
{
    long self = (long)number;
    for (int i = 0; i < ROUNDS; i++) {
        unsigned long before = shared;
        if (i % 7 == self) {
            pthread_mutex_lock(&mutex);
            pthread_mutex_unlock(&mutex);
        }
        if (i % 501 == self)
            sched_yield();
        if (i % 997 == self)
            usleep(10);
        lost[self] += shared != before;
        shared = before + 1;
        trails[self] = trail_add(trails[self], before);
    }
    return NULL;
}

int main(void)
{
    crew_run(work);
    printf("%lu of %d\n", shared, CREW * ROUNDS);
    for (int i = 0; i < CREW; i++)
        printf("%lx, %lu lost\n", trails[i], lost[i]);
    return 0;
}
