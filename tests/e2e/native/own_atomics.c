/* A spin lock and a counter of inline atomics: `canon discover --races` finds their instructions, in a short
 * run. */
#include "trail.h"

#include <stdatomic.h>
#include <string.h>

enum { ROUNDS = 20000, SHORT = 1000 };

static atomic_int held;
static atomic_long ticket;
static unsigned long order;
static int rounds = ROUNDS;
static pthread_barrier_t begin;

static void *work(void *number)
{
    unsigned long trail = (unsigned long)number;
    pthread_barrier_wait(&begin);
    for (int i = 0; i < rounds; i++) {
        trail = trail_add(trail, (unsigned long)atomic_fetch_add(&ticket, 1));
        while (atomic_exchange_explicit(&held, 1, memory_order_acquire))
            __builtin_ia32_pause();
        order = trail_add(order, trail);
        atomic_store_explicit(&held, 0, memory_order_release);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "short") == 0)
        rounds = SHORT;
    pthread_barrier_init(&begin, NULL, CREW);
    crew_run(work);
    printf("%lx\n", order);
    return 0;
}
