/*
 * snapshot.c: what a snapshot costs (src/native/insitu/snapshot.c), by size of the memory and share of it
 * that is written in between: the first one, the next, and putting it back; with and without the kernel's
 * help. Compiled and run by bench/detect.sh.
 */
#include "native/insitu/snapshot.c"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void canon_insitu_on(void *top, void (*function)(void *), void *argument);

long canon_raw_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    long result;
    register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

/* In the zone that is left alone. */
struct figures {
    double first, next, back, since;
    char *memory;
    size_t pages, step;
    bool right;
};

static double now_ms(void)
{
    struct timespec now;
    canon_raw_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&now, 0, 0, 0, 0);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void dirty(const struct figures *figures, char value)
{
    for (size_t i = 0; i < figures->pages; i += figures->step)
        figures->memory[i * PAGE] = value;
}

static void measure(void *argument)
{
    struct figures *figures = argument;
    double begin = now_ms();
    canon_snapshot_take();
    figures->first = now_ms() - begin;
    dirty(figures, 2);
    begin = now_ms();
    canon_snapshot_take();
    figures->next = now_ms() - begin;
    dirty(figures, 3);
    begin = now_ms();
    canon_snapshot_restore();
    figures->back = now_ms() - begin;
    figures->right = figures->memory[0] == 2 &&
                     figures->memory[(figures->pages - 1) / figures->step * figures->step * PAGE] == 2;
}

/* snapshot MEGABYTES PERCENT [copies]: the three in milliseconds. */
int main(int argc, char **argv)
{
    if (argc < 3)
        return 64;
    size_t size = (size_t)atoi(argv[1]) << 20;
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(memory, size, MADV_NOHUGEPAGE);
    memset(memory, 1, size);
    mmap((void *)CANON_KEPT_KEEPER, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
         -1, 0);
    if (!canon_snapshot_start())
        return 69;
    if (argc > 3)
        snapshot->partial = false;
    struct figures *figures = (struct figures *)CANON_KEPT_KEEPER;
    *figures = (struct figures){.memory = memory, .pages = size / PAGE, .step = 100 / (size_t)atoi(argv[2])};
    canon_insitu_on((char *)CANON_KEPT_KEEPER + (1 << 20), measure, figures);
    if (!figures->right)
        return 70;
    printf("| %s MB, %s%% | %s | %.1f | %.1f | %.1f |\n", argv[1], argv[2], snapshot->partial ? "yes" : "no",
           figures->first, figures->next, figures->back);
    return 0;
}
