/* Addresses of memory that one thread gets and another frees, and of its stack. */
#include "trail.h"

enum { SHELF = 64 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *shelf[SHELF];
static unsigned long trails[CREW];

static void *work(void *number)
{
    unsigned long trail = (unsigned long)&trail, draw = (unsigned long)number + 1;
    for (int i = 0; i < 20000; i++) {
        draw = draw * 6364136223846793005u + 1442695040888963407u;
        void *memory = malloc((draw >> 33) % (i % 100 ? 500 : 200000) + 1);
        trail = trail_add(trail, (unsigned long)memory);
        pthread_mutex_lock(&mutex);
        void *old = shelf[(draw >> 40) % SHELF];
        shelf[(draw >> 40) % SHELF] = memory;
        pthread_mutex_unlock(&mutex);
        free(old);
    }
    trails[(long)number] = trail;
    return NULL;
}

int main(void)
{
    crew_run(work);
    printf("%lx %lx %lx %lx\n", trails[0], trails[1], trails[2], trails[3]);
    return 0;
}
