/* Who runs the routine of pthread_once. */
#include "trail.h"

enum { ROUNDS = 300 };

static pthread_once_t controls[ROUNDS];
static pthread_barrier_t barrier;
static __thread unsigned long self;
static unsigned long seen;

static void first(void)
{
    seen = trail_add(seen, self);
}

static void *work(void *number)
{
    self = (unsigned long)number;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_barrier_wait(&barrier);
        pthread_once(&controls[i], first);
    }
    return NULL;
}

int main(void)
{
    pthread_barrier_init(&barrier, NULL, CREW);
    crew_run(work);
    printf("%lx\n", seen);
    return 0;
}
