/*
 * A lock, flags and counters made of instructions of all kinds that canon can order by a list.
 * racy: racing_
 */
#include "trail.h"

#include <stddef.h>

enum { ROUNDS = 20000 };

/* Each begins with a label, by which the test makes the list. */
#define RACES(text, ...) __asm__ volatile("racing_%=: " text:__VA_ARGS__ : "memory", "cc")

static struct shared {
    long pair[2]; /* first, for its alignment */
    long wide, flags;
    int lock, numbers[CREW];
    short half;
    unsigned char byte;
} shared __attribute__((aligned(16)));
static unsigned long order;
static pthread_barrier_t begin;

static void take(void)
{
    for (int held = 1, busy; held;) {
        RACES("xchg %0, %1", "+r"(held), "+m"(shared.lock) :);
        while (held && ({
                   RACES("cmpl $0, %1; setne %b0", "=q"(busy) : "m"(shared.lock));
                   (char)busy;
               }))
            __builtin_ia32_pause();
    }
}

static void give(void)
{
    RACES("movl $0, %0", "=m"(shared.lock) :);
}

/* Short ones, with neighbours that go along. */
static unsigned long look(const struct shared *at, long index)
{
    int number;
    long wide, low, widened, none;
    unsigned byte;
    short half = 0;
    RACES("mov (%1,%2,4), %0", "=r"(number) : "r"(at->numbers), "r"(index));
    RACES("movzbl %1, %0", "=r"(byte) : "m"(at->byte));
    RACES("mov %1, %0", "=r"(half) : "m"(at->half));
    RACES("movslq (%1), %0", "=r"(widened) : "r"(at->numbers));
    RACES("add (%1), %0", "=r"(wide) : "r"(&at->wide), "0"(1L));
    RACES("movdqu (%1), %%xmm3; movq %%xmm3, %0", "=r"(low) : "r"(at->pair));
    RACES("testb $1, (%1); cmovz %2, %0", "=r"(none) : "r"(&at->flags), "r"(0L), "0"(9L));
    return trail_add((unsigned long)(number + byte + (unsigned short)half + widened),
                     (unsigned long)(wide * 31 + low + none));
}

static unsigned long change(struct shared *at, long me, long round)
{
    long before = 1, expected = me;
    RACES("lock xaddq %0, shared+16(%%rip)", "+r"(before) :);
    RACES("movb %b1, %0", "=m"(at->byte) : "q"(round));
    RACES("movw %w1, %0", "=m"(at->half) : "r"(round));
    RACES("incl (%0)", : "r"(&at->numbers[me]));
    RACES("lock cmpxchgq %2, %1", "+a"(expected), "+m"(at->flags) : "r"(round));
    RACES("orq %1, %0", "+m"(at->flags) : "r"(1L << me));
    __asm__ volatile("movq %1, %%xmm2\nracing_%=: movdqu %%xmm2, %0" : "=m"(at->pair) : "r"(round) : "xmm2");
    return trail_add((unsigned long)before, (unsigned long)expected);
}

static void *work(void *number)
{
    long me = (long)number;
    unsigned long trail = 0;
    pthread_barrier_wait(&begin);
    for (long round = 0; round < ROUNDS; round++) {
        trail = trail_add(trail, look(&shared, (me + 1) % CREW));
        trail = trail_add(trail, change(&shared, me, round));
        take();
        order = trail_add(order, trail);
        give();
    }
    return (void *)trail;
}

int main(void)
{
    _Static_assert(offsetof(struct shared, wide) == 16, "change()");
    pthread_barrier_init(&begin, NULL, CREW);
    crew_run(work);
    printf("%lx %ld %x %ld\n", order, shared.wide, shared.byte, shared.pair[0]);
    return 0;
}
