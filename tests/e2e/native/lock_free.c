/*
 * A stack that is taken as a whole, and a ring of numbered places that threads share.
 * by: canon-cc
 */
#include "trail.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

enum { ROUNDS = 4000, PLACES = 64 };

struct node {
    struct node *next;
    unsigned long value;
};

static _Atomic(struct node *) top;
static struct {
    atomic_ulong turn;
    unsigned long value;
} ring[PLACES];
static atomic_ulong head, tail;
static unsigned long trails[CREW];

static void push(struct node *node)
{
    node->next = atomic_load(&top);
    while (!atomic_compare_exchange_weak(&top, &node->next, node))
        ;
}

static unsigned long drain(unsigned long trail)
{
    for (struct node *node = atomic_exchange(&top, NULL), *next; node; node = next) {
        next = node->next;
        trail = trail_add(trail, node->value);
        free(node);
    }
    return trail;
}

static void put(unsigned long value)
{
    unsigned long mine = tail++;
    while (atomic_load_explicit(&ring[mine % PLACES].turn, memory_order_acquire) != mine / PLACES * 2)
        sched_yield();
    ring[mine % PLACES].value = value;
    atomic_store_explicit(&ring[mine % PLACES].turn, mine / PLACES * 2 + 1, memory_order_release);
}

static unsigned long get(void)
{
    unsigned long mine = head++;
    while (atomic_load_explicit(&ring[mine % PLACES].turn, memory_order_acquire) != mine / PLACES * 2 + 1)
        sched_yield();
    unsigned long value = ring[mine % PLACES].value;
    atomic_store_explicit(&ring[mine % PLACES].turn, mine / PLACES * 2 + 2, memory_order_release);
    return value;
}

static void *work(void *number)
{
    unsigned long self = (unsigned long)number, trail = 0;
    for (unsigned long i = 0; i < ROUNDS; i++) {
        struct node *node = malloc(sizeof *node);
        node->value = self << 32 | i;
        push(node);
        if (i % 5 == self)
            trail = drain(trail);
        put(self << 32 | i);
        trail = trail_add(trail, get());
    }
    trails[self] = trail;
    return NULL;
}

int main(void)
{
    crew_run(work);
    for (int i = 0; i < CREW; i++)
        printf("%lx\n", trails[i]);
    return 0;
}
