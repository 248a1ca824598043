/* children.c: see children.h. */
#include "native/children.h"

#include "native/arena.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

struct child {
    int recorded, real;
    struct child *next;
};

static _Atomic int lock;
static struct child *children;

void canon_children_add(int recorded, int real)
{
    struct child *child = canon_arena_get(sizeof *child);
    if (!child)
        return;
    canon_spin_lock(&lock);
    *child = (struct child){recorded, real, children};
    children = child;
    canon_spin_unlock(&lock);
}

/* The real number; 0 if there is none. */
static int take(int recorded)
{
    canon_spin_lock(&lock);
    struct child **at = &children;
    while (*at && (*at)->recorded != recorded)
        at = &(*at)->next;
    struct child *found = *at;
    if (found)
        *at = found->next;
    canon_spin_unlock(&lock);
    int real = found ? found->real : 0;
    if (found)
        canon_arena_put(found);
    return real;
}

static void wait_for(long real)
{
    while (canon_raw_syscall(SYS_wait4, real, 0, 0, 0, 0, 0) == -EINTR)
        ;
}

/* The recorded child that a call has told the end of; 0 if it has not. */
static int ended(const struct canon_frame *frame, long result)
{
    if (frame->rax == SYS_wait4 && result > 0) {
        const int *status = (const int *)frame->rsi;
        return !status || WIFEXITED(*status) || WIFSIGNALED(*status) ? (int)result : 0;
    }
    const siginfo_t *info = (const siginfo_t *)frame->rdx;
    if (frame->rax == SYS_waitid && result == 0 && info && info->si_pid &&
        (info->si_code == CLD_EXITED || info->si_code == CLD_KILLED || info->si_code == CLD_DUMPED))
        return info->si_pid;
    return 0;
}

void canon_children_follow(const struct canon_frame *frame, long result)
{
    int recorded = children ? ended(frame, result) : 0, real = recorded ? take(recorded) : 0;
    if (real)
        wait_for(real);
}

void canon_children_wait(void)
{
    long result;
    do
        result = canon_raw_syscall(SYS_wait4, -1, 0, 0x40000000 /* __WALL */, 0, 0, 0);
    while (result > 0 || result == -EINTR);
}

void canon_children_forked(void)
{
    lock = 0;
    children = NULL; /* its parent's */
}
