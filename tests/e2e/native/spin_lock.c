/*
 * Spin locks of the program's own: a flag of C11, one by the older names, one by compare and exchange.
 * by: canon-cc
 */
#include "trail.h"

#include <sched.h>
#include <stdatomic.h>

enum { ROUNDS = 3000 };

static atomic_flag flag = ATOMIC_FLAG_INIT;
static volatile int older;
static atomic_int newer;
static unsigned long by_flag, by_older, by_newer;

static void *work(void *number)
{
    unsigned long self = (unsigned long)number;
    for (int i = 0; i < ROUNDS; i++) {
        while (atomic_flag_test_and_set_explicit(&flag, memory_order_acquire))
            ;
        by_flag = trail_add(by_flag, self);
        atomic_flag_clear_explicit(&flag, memory_order_release);
        while (!__sync_bool_compare_and_swap(&older, 0, -1))
            __builtin_ia32_pause();
        by_older = trail_add(by_older, self);
        __sync_lock_release(&older);
        for (int none = 0; !atomic_compare_exchange_weak(&newer, &none, 1); none = 0)
            sched_yield();
        by_newer = trail_add(by_newer, self);
        if (i % 100 == 0)
            sched_yield();
        newer = 0;
    }
    return NULL;
}

int main(void)
{
    crew_run(work);
    printf("%lx %lx %lx\n", by_flag, by_older, by_newer);
    return 0;
}
