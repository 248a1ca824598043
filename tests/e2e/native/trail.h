/* trail.h: what a test program saw, in its order, as one number; and a crew of threads. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { CREW = 4 };

static inline unsigned long trail_add(unsigned long trail, unsigned long value)
{
    return (trail ^ value) * 0x9e3779b97f4a7c15u + (trail >> 29);
}

/* Runs `work` in four threads, with their numbers, to its end. */
static void crew_run(void *(*work)(void *))
{
    pthread_t crew[CREW];
    for (long i = 0; i < CREW; i++)
        if (pthread_create(&crew[i], NULL, work, (void *)i))
            abort();
    for (int i = 0; i < CREW; i++)
        pthread_join(crew[i], NULL);
}
