/*
 * meetings.c MS: threads that do nothing but meet, in every way there is, for so long, without a race. What
 * each does next depends on what it has found, so that any other order shows in the heap and in what is
 * printed. Snapshots find them in the middle of all that. At the end there is an overflow.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THREADS = 4, PLACES = 8, MAPPED = 3 << 20 };

static struct place {
    pthread_mutex_t mutex, checked;
    pthread_cond_t changed;
    pthread_rwlock_t shared;
    pthread_spinlock_t spin;
    sem_t sem;
    unsigned long value, under_sem, under_spin, under_checked, under_shared;
    unsigned char *block;
} places[PLACES];
static pthread_mutex_t clock_mutex = PTHREAD_MUTEX_INITIALIZER;
static int over;
static FILE *stream;

static unsigned long mix(unsigned long a, unsigned long b)
{
    return (a ^ b) * 0x9e3779b97f4a7c15u ^ a >> 29;
}

/* A plain mutex, and a block that changes hands. */
static unsigned long exchange(struct place *place, unsigned long seed)
{
    pthread_mutex_lock(&place->mutex);
    place->value = mix(place->value, seed);
    unsigned long seen = place->value;
    unsigned char *old = place->block;
    place->block = malloc(seen % 64 == 0 ? MAPPED : 16 + seen % 300);
    memcpy(place->block, &seen, sizeof seen);
    pthread_cond_signal(&place->changed);
    pthread_mutex_unlock(&place->mutex);
    if (old)
        seen = mix(seen, old[3]);
    free(old);
    return seen;
}

static unsigned long wait_briefly(struct place *place)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 50000;
    if (until.tv_nsec >= 1000000000)
        until.tv_nsec -= 1000000000, until.tv_sec++;
    pthread_mutex_lock(&place->mutex);
    int result = pthread_cond_timedwait(&place->changed, &place->mutex, &until);
    unsigned long seen = place->value;
    pthread_mutex_unlock(&place->mutex);
    return mix(seen, (unsigned long)result);
}

static unsigned long take_others(struct place *place, unsigned long seed)
{
    sem_wait(&place->sem);
    unsigned long seen = place->under_sem = mix(place->under_sem, seed);
    sem_post(&place->sem);
    pthread_spin_lock(&place->spin);
    seen = mix(seen, place->under_spin += seed);
    pthread_spin_unlock(&place->spin);
    pthread_mutex_lock(&place->checked);
    seen = mix(seen, place->under_checked += seen);
    pthread_mutex_unlock(&place->checked);
    if (seed % 4) {
        pthread_rwlock_rdlock(&place->shared);
        seen = mix(seen, place->under_shared);
    } else {
        pthread_rwlock_wrlock(&place->shared);
        seen = place->under_shared = mix(place->under_shared, seed);
    }
    pthread_rwlock_unlock(&place->shared);
    return seen;
}

static unsigned long use_stream(unsigned long seed)
{
    fprintf(stream, "%lx\n", seed & 0xffff);
    return (unsigned long)ftell(stream);
}

static int is_over(void)
{
    pthread_mutex_lock(&clock_mutex);
    int now = over;
    pthread_mutex_unlock(&clock_mutex);
    return now;
}

static void *meet(void *argument)
{
    unsigned long seed = (unsigned long)argument;
    for (unsigned long i = 0; i % 64 || !is_over(); i++) {
        struct place *place = &places[seed % PLACES];
        unsigned long what = seed >> 8 & 31;
        seed = mix(seed, what == 0   ? wait_briefly(place)
                         : what == 1 ? use_stream(seed)
                         : what < 8  ? take_others(place, seed)
                                     : exchange(place, seed));
    }
    return (void *)seed;
}

static void prepare(struct place *place)
{
    pthread_mutexattr_t checks;
    pthread_mutexattr_init(&checks);
    pthread_mutexattr_settype(&checks, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&place->mutex, NULL);
    pthread_mutex_init(&place->checked, &checks);
    pthread_cond_init(&place->changed, NULL);
    pthread_rwlock_init(&place->shared, NULL);
    pthread_spin_init(&place->spin, 0);
    sem_init(&place->sem, 0, 1);
}

int main(int argc, char **argv)
{
    long ms = argc > 1 ? atol(argv[1]) : 50;
    pthread_t threads[THREADS];
    stream = fopen("/dev/null", "w");
    for (int i = 0; i < PLACES; i++)
        prepare(&places[i]);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, meet, (void *)(i + 1));
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
    pthread_mutex_lock(&clock_mutex);
    over = 1;
    pthread_mutex_unlock(&clock_mutex);
    for (int i = 0; i < THREADS; i++) {
        void *seed;
        pthread_join(threads[i], &seed);
        printf("%lx\n", (unsigned long)seed);
    }
    volatile char *block = malloc(40);
    block[40] = 1; /* guilty */
}
