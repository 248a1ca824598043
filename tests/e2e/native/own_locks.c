/*
 * Locks of the program's own: by futex, by atomics with sched_yield; and a spin lock whose owner sleeps.
 * record: --order=serial
 */
#include "trail.h"

#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ROUNDS = 5000 };

static atomic_int sleeping, yielding;
static pthread_spinlock_t spinning;
static unsigned long slept, yielded, spun;

static void lock(void)
{
    int none = 0;
    if (atomic_compare_exchange_strong(&sleeping, &none, 1))
        return;
    while (atomic_exchange(&sleeping, 2))
        syscall(SYS_futex, &sleeping, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

static void unlock(void)
{
    if (atomic_exchange(&sleeping, 0) == 2)
        syscall(SYS_futex, &sleeping, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *work(void *number)
{
    unsigned long self = (unsigned long)number;
    for (int i = 0; i < ROUNDS; i++) {
        lock();
        slept = trail_add(slept, self);
        if (i % 100 == 0)
            usleep(1);
        unlock();
        while (atomic_exchange(&yielding, 1))
            sched_yield();
        yielded = trail_add(yielded, self);
        if (i % 100 == 0)
            sched_yield();
        atomic_store(&yielding, 0);
        pthread_spin_lock(&spinning);
        spun = trail_add(spun, self);
        if (i % 500 == 0)
            usleep(1);
        pthread_spin_unlock(&spinning);
    }
    return NULL;
}

int main(void)
{
    pthread_spin_init(&spinning, PTHREAD_PROCESS_PRIVATE);
    crew_run(work);
    printf("%lx %lx %lx\n", slept, yielded, spun);
    return 0;
}
