/*
 * watchpoint.c: see watchpoint.h. One event of perf a watchpoint and thread, with a signal for each hit, sent
 * to the thread itself before its next instruction.
 */
#include "native/detect/watchpoint.h"

#include "native/arena.h"
#include "native/insitu/insitu.h"
#include "native/insitu/kept.h"
#include "native/native.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

enum { THREADS = 1024, RESTORER = 0x04000000, TRAP_BY_PERF = 6, HIGH = 900 };

struct action {
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

static struct watched {
    const void *byte;
    int count;
    struct {
        int thread, fd;
    } events[THREADS];
} all[CANON_WATCHPOINTS];
static _Atomic int lock;
static canon_watchpoint_fn on_hit;
static struct action before; /* what the program has for its own traps */

static void trapped(int number, siginfo_t *info, void *context)
{
    int error = errno;
    if (info->si_code != TRAP_BY_PERF) {
        if (before.handler > (void (*)(int, siginfo_t *, void *))1)
            before.handler(number, info, context);
        return;
    }
    /* si_perf_data: what the event was given. It lies behind the address. */
    uint64_t which;
    memcpy(&which, (const char *)&info->si_addr + sizeof info->si_addr, sizeof which);
    canon_self.inside++;
    if (which == CANON_KEPT_PIN)
        canon_insitu_pinned();
    if (which < CANON_WATCHPOINTS && all[which].byte)
        on_hit((int)which, context);
    canon_self.inside--;
    errno = error;
}

void canon_watchpoints_start(canon_watchpoint_fn hit)
{
    struct action action = {trapped, SA_SIGINFO | SA_RESTART | SA_NODEFER | RESTORER, canon_raw_restore, 0};
    on_hit = hit;
    canon_raw_syscall(SYS_rt_sigaction, SIGTRAP, (long)&action, (long)&before, 8, 0, 0);
}

/* With the lock. */
static int watch_in(int number, int thread)
{
    struct watched *watched = &all[number];
    struct perf_event_attr about = {
        .size = sizeof about,
        .type = PERF_TYPE_BREAKPOINT,
        .bp_type = HW_BREAKPOINT_W,
        .bp_addr = (uint64_t)watched->byte,
        .bp_len = HW_BREAKPOINT_LEN_1,
        .sample_period = 1,
        .sig_data = (uint64_t)number,
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .sigtrap = 1,
        .remove_on_exec = 1,
    };
    for (int i = 0; i < watched->count; i++)
        if (watched->events[i].thread == thread)
            return 0;
    if (watched->count == THREADS)
        return -ENFILE;
    long fd = canon_raw_syscall(SYS_perf_event_open, (long)&about, thread, -1, -1, PERF_FLAG_FD_CLOEXEC, 0);
    long high = fd < 0 ? fd : canon_raw_syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, HIGH, 0, 0, 0);
    if (fd < 0)
        return (int)fd;
    if (high >= 0)
        canon_raw_syscall(SYS_close, fd, 0, 0, 0, 0, 0); /* the program's next descriptor is this one */
    watched->events[watched->count].thread = thread;
    watched->events[watched->count++].fd = (int)(high >= 0 ? high : fd);
    return 0;
}

/* All threads that there are; one that is gone in between does not matter. */
static int watch_all(int number)
{
    char entries[4096];
    int status = -ESRCH;
    long n, fd = canon_raw_syscall(SYS_open, (long)"/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0,
                                   0, 0, 0);
    if (fd < 0)
        return (int)fd;
    while ((n = canon_raw_syscall(SYS_getdents64, fd, (long)entries, sizeof entries, 0, 0, 0)) > 0)
        for (long at = 0; at < n;) {
            const struct dirent64 *entry = (const struct dirent64 *)(entries + at);
            int thread = atoi(entry->d_name);
            if (thread) {
                int one = watch_in(number, thread);
                status = one != -ESRCH && status != 0 ? one : status;
            }
            at += entry->d_reclen;
        }
    canon_raw_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
    return status;
}

int canon_watchpoint_set(int number, const void *byte)
{
    canon_watchpoint_clear(number);
    canon_spin_lock(&lock);
    all[number].byte = byte;
    int status = watch_all(number);
    canon_spin_unlock(&lock);
    return status;
}

void canon_watchpoint_clear(int number)
{
    struct watched *watched = &all[number];
    canon_spin_lock(&lock);
    watched->byte = NULL;
    for (; watched->count; watched->count--)
        canon_raw_syscall(SYS_close, watched->events[watched->count - 1].fd, 0, 0, 0, 0, 0);
    canon_spin_unlock(&lock);
}

void canon_watchpoints_drop(void)
{
    atomic_store(&lock, 0);
    for (int i = 0; i < CANON_WATCHPOINTS; i++)
        canon_watchpoint_clear(i);
}

void canon_watchpoints_follow(void)
{
    canon_spin_lock(&lock);
    for (int i = 0; i < CANON_WATCHPOINTS; i++)
        if (all[i].byte)
            watch_in(i, (int)canon_raw_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0));
    canon_spin_unlock(&lock);
}
