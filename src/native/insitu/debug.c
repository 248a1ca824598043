/* debug.c: see debug.h. */
#include "native/insitu/debug.h"

#include "native/insitu/kept.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

enum { LOOK_MS = 50 };

/* For the debugger, which does not know where the zone is. */
extern struct canon_kept *const canon_debug_kept;
struct canon_kept *const canon_debug_kept = (struct canon_kept *)CANON_KEPT;

__attribute__((noinline)) void canon_debug_rolled_back(void)
{
    __asm__ volatile("");
}

__attribute__((noinline)) void canon_debug_epoch_ended(void)
{
    __asm__ volatile("");
}

void canon_debug_permit(void)
{
    /* The keeper blocks all signals; a breakpoint in it would make the kernel forget SIGTRAP's handler. */
    uint64_t trap = UINT64_C(1) << (SIGTRAP - 1);
    canon_raw_syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, (long)&trap, 0, 8, 0, 0);
    canon_raw_syscall(SYS_prctl, PR_SET_PTRACER, (long)PR_SET_PTRACER_ANY, 0, 0, 0, 0);
}

static uint64_t number_behind(const char *text, const char *name, int base)
{
    const char *at = strstr(text, name);
    return at ? strtoull(at + strlen(name), NULL, base) : 0;
}

/* Whether there is a debugger; `ends`: whether a signal waits that wants to end the program. */
static bool is_traced(bool *ends)
{
    static const int ENDS[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    char text[4096];
    long fd = canon_raw_syscall(SYS_open, (long)"/proc/self/status", O_RDONLY | O_CLOEXEC, 0, 0, 0, 0);
    long n = fd < 0 ? 0 : canon_raw_syscall(SYS_read, fd, (long)text, sizeof text - 1, 0, 0, 0);
    if (fd >= 0)
        canon_raw_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
    text[n > 0 ? n : 0] = '\0';
    uint64_t pending = number_behind(text, "ShdPnd:", 16);
    *ends = false;
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++)
        *ends |= pending >> (ENDS[i] - 1) & 1;
    return number_behind(text, "TracerPid:", 10) != 0;
}

enum canon_debug_wish canon_debug_await(bool (*is_over)(void))
{
    for (;;) {
        int wish = atomic_exchange(&canon_kept->wish, CANON_DEBUG_NOTHING);
        if (wish || (is_over && is_over()))
            return wish;
        bool ends, traced = is_traced(&ends);
        if (ends || (canon_kept->traced && !traced))
            return CANON_DEBUG_LEAVE;
        canon_kept->traced = traced;
        canon_kept_wait(&canon_kept->wish, CANON_DEBUG_NOTHING, LOOK_MS);
    }
}
