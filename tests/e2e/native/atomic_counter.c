/*
 * Counters of all sizes, and what each thread finds there.
 * by: canon-cc
 */
#include "trail.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

enum { ROUNDS = 5000 };

static _Atomic uint8_t small;
static _Atomic uint16_t middle;
static _Atomic int usual;
static _Atomic int64_t large;
static _Atomic double real;
struct wide {
    uint64_t first, second;
};
static _Atomic struct wide wide;
static unsigned long trails[CREW];

static void *work(void *number)
{
    long self = (long)number;
    unsigned long trail = 0;
    for (int i = 0; i < ROUNDS; i++) {
        trail = trail_add(trail, ++small);
        trail = trail_add(trail, middle--);
        trail = trail_add(trail, (unsigned long)(usual ^= i));
        trail = trail_add(trail, (unsigned long)atomic_fetch_or(&large, INT64_C(1) << i % 64));
        trail = trail_add(trail, (unsigned long)(large &= ~(INT64_C(3) << (i + self) % 62)));
        real += 0.5;
        trail = trail_add(trail, (unsigned long)real);
        struct wide now = wide, next = {now.first + 1, now.second + (uint64_t)self};
        trail = trail_add(trail, atomic_compare_exchange_strong(&wide, &now, next) ? next.second : now.first);
        if (i % 500 == self)
            sched_yield();
    }
    trails[self] = trail;
    return NULL;
}

int main(void)
{
    crew_run(work);
    for (int i = 0; i < CREW; i++)
        printf("%lx\n", trails[i]);
    printf("%d %d %d %g\n", small, middle, usual, real);
    return 0;
}
