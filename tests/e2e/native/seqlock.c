/*
 * Readers look at what a writer is changing, and look again if it was.
 * by: canon-cc
 */
#include "trail.h"

#include <sched.h>
#include <stdatomic.h>

enum { ROUNDS = 1000, VALUES = 4 };

static atomic_uint version;
static atomic_ulong values[VALUES];
static unsigned long trails[CREW];
static unsigned long again[CREW];

static void write_all(unsigned long value)
{
    atomic_fetch_add(&version, 1);
    for (int i = 0; i < VALUES; i++)
        atomic_store_explicit(&values[i], value + (unsigned long)i, memory_order_relaxed);
    atomic_fetch_add_explicit(&version, 1, memory_order_release);
}

static unsigned long read_all(unsigned long *tries)
{
    for (;; ++*tries) {
        unsigned long sum = 0;
        unsigned before = atomic_load_explicit(&version, memory_order_acquire);
        for (int i = 0; i < VALUES; i++)
            sum += atomic_load_explicit(&values[i], memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        if (!(before & 1) && atomic_load_explicit(&version, memory_order_relaxed) == before)
            return sum;
    }
}

static void *work(void *number)
{
    long self = (long)number;
    for (unsigned long i = 0; i < ROUNDS; i++) {
        if (self == 0)
            write_all(i * i);
        else
            trails[self] = trail_add(trails[self], read_all(&again[self]));
        if (i % 50 == 0)
            sched_yield();
    }
    return NULL;
}

int main(void)
{
    crew_run(work);
    for (int i = 1; i < CREW; i++)
        printf("%lx, again %lu\n", trails[i], again[i]);
    return 0;
}
