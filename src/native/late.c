/* late.c: see late.h. One timer a thread, made when it is first needed; its signal is the last there is. */
#include "native/late.h"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

enum { NUMBER = 64, PATIENCE_NANOS = 20000000, RESTORER = 0x04000000 };

/* As the kernel has them. */
struct event {
    long value;
    int number, notify, thread;
    char unused[64 - 20];
};
struct action {
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

static void (*late_function)(struct canon_self *);
static __thread int timer CANON_TLS = -1;

static void ring(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info, (void)context;
    int error = errno;
    late_function(&canon_self);
    errno = error;
}

static bool make_timer(const struct canon_self *self)
{
    struct action action = {ring, SA_SIGINFO | SA_RESTART | RESTORER, canon_raw_restore, 0};
    struct event event = {.number = NUMBER, .notify = SIGEV_THREAD_ID, .thread = self->real_tid};
    return canon_raw_syscall(SYS_rt_sigaction, NUMBER, (long)&action, 0, 8, 0, 0) == 0 &&
           canon_raw_syscall(SYS_timer_create, CLOCK_MONOTONIC, (long)&event, (long)&timer, 0, 0, 0) == 0;
}

void canon_late_forked(void)
{
    timer = -1;
}

void canon_late_arm(struct canon_self *self, void (*late)(struct canon_self *self))
{
    struct itimerspec once = {.it_value = {.tv_nsec = PATIENCE_NANOS}};
    late_function = late;
    if (timer >= 0 || make_timer(self))
        canon_raw_syscall(SYS_timer_settime, timer, 0, (long)&once, 0, 0, 0);
}
