/* Read-write locks, spin locks, barriers, semaphores. */
#include "trail.h"

#include <semaphore.h>

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static sem_t places;
static unsigned long written, spun, trails[CREW];

static void *work(void *number)
{
    unsigned long trail = 0;
    for (int i = 0; i < 500; i++) {
        pthread_rwlock_rdlock(&rwlock);
        trail = trail_add(trail, written);
        pthread_rwlock_unlock(&rwlock);
        if (i % 4 == 0 && pthread_rwlock_trywrlock(&rwlock) == 0) {
            written = trail_add(written, (unsigned long)number);
            pthread_rwlock_unlock(&rwlock);
        }
        sem_wait(&places);
        pthread_spin_lock(&spin);
        spun = trail_add(spun, (unsigned long)number);
        pthread_spin_unlock(&spin);
        sem_post(&places);
        if (i % 50 == 0 && pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
            trail = trail_add(trail, 1);
    }
    trails[(long)number] = trail;
    return NULL;
}

int main(void)
{
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_barrier_init(&barrier, NULL, CREW);
    sem_init(&places, 0, 2);
    crew_run(work);
    printf("%lx %lx %lx %lx %lx %lx\n", written, spun, trails[0], trails[1], trails[2], trails[3]);
    return 0;
}
