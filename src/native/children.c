/* children.c: see children.h. */
#include "native/children.h"

#include "base/log.h"
#include "launch/process.h"
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

/* What a child's replay could not say itself. A child that was killed has a part that is cut off. */
static void judge(int recorded, int status)
{
    if (!WIFSIGNALED(status) || !canon_native.watch || canon_native.watch->failed)
        return;
    canon_native.watch->failed = CANON_EXIT_DIVERGED;
    canon_say("DIVERGENCE: the replay of child %d was ended by signal %d", recorded, WTERMSIG(status));
}

/* The recorded child that a call has told the end of; 0 if it has not. */
static int ended(const struct canon_frame *frame, long result, bool *killed)
{
    if (frame->rax == SYS_wait4 && result > 0) {
        const int *status = (const int *)frame->rsi;
        *killed = !status || WIFSIGNALED(*status);
        return !status || WIFEXITED(*status) || WIFSIGNALED(*status) ? (int)result : 0;
    }
    const siginfo_t *info = (const siginfo_t *)frame->rdx;
    if (frame->rax == SYS_waitid && result == 0 && info && info->si_pid &&
        (info->si_code == CLD_EXITED || info->si_code == CLD_KILLED || info->si_code == CLD_DUMPED)) {
        *killed = info->si_code != CLD_EXITED;
        return info->si_pid;
    }
    return 0;
}

void canon_children_follow(const struct canon_frame *frame, long result)
{
    bool killed = false;
    int recorded = children ? ended(frame, result, &killed) : 0, real = recorded ? take(recorded) : 0;
    int status = 0;
    if (!real)
        return;
    while (canon_raw_syscall(SYS_wait4, real, (long)&status, 0, 0, 0, 0) == -EINTR)
        ;
    if (!killed)
        judge(recorded, status);
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
