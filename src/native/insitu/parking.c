/*
 * parking.c: threads are stopped by a signal. In the program's own code they keep their registers and park;
 * in canon's they do so only if they will be put back. A parked thread stands on its parking place, not on
 * any stack of the program's or canon's, and looks at nothing that a rollback changes.
 */
#include "native/insitu/insitu.h"
#include "native/insitu/kept.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>

enum { SIGNAL = CANON_KEPT_SIGNAL, RESTORER = 0x04000000 };

void canon_insitu_sigreturn(void *context) __attribute__((noreturn));
void canon_insitu_on(void *top, void (*function)(void *), void *argument);

struct action {
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

/* ---- waiting --------------------------------------------------------------------------------------------
 */

void canon_kept_wake(_Atomic int *word)
{
    canon_raw_syscall(SYS_futex, (long)word, FUTEX_WAKE_PRIVATE, INT32_MAX, 0, 0, 0);
}

void canon_kept_wait(_Atomic int *word, int value, int most_ms)
{
    struct timespec most = {most_ms / 1000, most_ms % 1000 * 1000000};
    canon_raw_syscall(SYS_futex, (long)word, FUTEX_WAIT_PRIVATE, value, most_ms ? (long)&most : 0, 0, 0);
}

/* ---- a thread's contexts --------------------------------------------------------------------------------
 */

static char *place_of(const struct canon_kept_thread *thread)
{
    return (char *)CANON_KEPT_PARKING + (uint64_t)(thread - canon_kept->threads) * CANON_KEPT_PLACE;
}

static char *context_of(const struct canon_kept_thread *thread, int which)
{
    return place_of(thread) + CANON_KEPT_STACK + which * CANON_KEPT_CONTEXT;
}

/* What the kernel has put on the stack for the handler, with all registers behind it. */
static void save_context(const struct canon_kept_thread *thread, const ucontext_t *context)
{
    enum { SIZE_AT = 468, LEGACY = 512, MAGIC_AT = 464, MAGIC = 0x46505853 };
    ucontext_t *to = (ucontext_t *)context_of(thread, !canon_kept->context);
    const char *state = (const char *)context->uc_mcontext.fpregs;
    char *copy = (char *)(((uintptr_t)(to + 1) + 63) & ~(uintptr_t)63);
    uint32_t magic, size = LEGACY;
    memcpy(to, context, sizeof *to);
    if (!state)
        return;
    memcpy(&magic, state + MAGIC_AT, sizeof magic);
    if (magic == MAGIC)
        memcpy(&size, state + SIZE_AT, sizeof size);
    if (size > CANON_KEPT_CONTEXT - 2048)
        size = LEGACY;
    memcpy(copy, state, size);
    to->uc_mcontext.fpregs = (fpregset_t)copy;
}

/*
 * A thread that does no operation any more until the program ends is at its last one already. While it has to
 * wait for that, it may be called to be put back once more.
 */
static _Noreturn void go_back(const struct canon_kept_thread *thread)
{
    uint64_t own = UINT64_C(1) << (SIGNAL - 1);
    canon_raw_syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, (long)&own, 0, 8, 0, 0);
    thread->self->inside++;
    canon_insitu_delay(thread->self);
    thread->self->inside--;
    if (thread->by_signal)
        canon_insitu_sigreturn(context_of(thread, canon_kept->context));
    canon_raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&thread->mask, 0, 8, 0, 0);
    canon_insitu_jump(&thread->self->point);
}

static _Noreturn void end_really(struct canon_kept_thread *thread)
{
    canon_raw_syscall(SYS_set_tid_address, (long)&thread->ended, 0, 0, 0, 0, 0);
    canon_raw_syscall(SYS_exit, 0, 0, 0, 0, 0, 0);
    __builtin_unreachable();
}

/* On the parking place. Comes back if the thread is to go on. */
static void wait_parked(void *argument)
{
    struct canon_kept_thread *thread = argument;
    uint64_t all = ~UINT64_C(0);
    canon_raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, 0, 8, 0, 0);
    atomic_store(&thread->parked, 1);
    canon_kept_wake(&canon_kept->wake);
    int command;
    while ((command = atomic_load(&thread->command)) == CANON_KEPT_WAIT)
        canon_kept_wait(&thread->command, CANON_KEPT_WAIT, 0);
    atomic_store(&thread->command, CANON_KEPT_WAIT);
    if (command == CANON_KEPT_GO_BACK)
        go_back(thread);
    if (command == CANON_KEPT_EXIT)
        end_really(thread);
}

void canon_parking_park(struct canon_kept_thread *thread)
{
    uint64_t before = 0;
    canon_raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, 0, (long)&before, 8, 0, 0);
    canon_insitu_on(place_of(thread) + CANON_KEPT_STACK, wait_parked, thread);
    canon_raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&before, 0, 8, 0, 0);
}

static void called(int number, siginfo_t *info, void *context)
{
    (void)number;
    struct canon_self *self = &canon_self;
    struct canon_kept_thread *thread = self->kept;
    bool back = canon_kept->phase == CANON_KEPT_ROLLING_BACK;
    if (thread && !back && info->si_code > 0 && info->si_fd == thread->pin) {
        self->inside++;
        canon_insitu_pinned();
        self->inside--;
        return;
    }
    if (!thread || (!back && (!canon_kept->stop || self->inside || self->region)))
        return;
    if (!back)
        save_context(thread, context);
    else if (!canon_kept->tries)
        thread->place =
            self->inside ? 0 : (uint64_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    canon_parking_park(thread);
}

/* ---- the keeper's side ----------------------------------------------------------------------------------
 */

void canon_parking_call(const struct canon_kept_thread *thread)
{
    canon_raw_syscall(SYS_tgkill, canon_native.real_pid, thread->tid, SIGNAL, 0, 0, 0);
}

void canon_parking_tell(struct canon_kept_thread *thread, enum canon_kept_command command)
{
    atomic_store(&thread->parked, 0); /* from now on it may run */
    atomic_store(&thread->command, (int)command);
    canon_kept_wake(&thread->command);
}

bool canon_parking_is_still(const struct canon_kept_thread *thread)
{
    return thread->parked || thread->ended || atomic_load(&thread->self->region);
}

/* Signals that the thread blocks; the kernel tells. */
static uint64_t mask_of(int tid)
{
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/self/task/%d/status", tid);
    long fd = canon_raw_syscall(SYS_open, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0, 0);
    long n = fd < 0 ? 0 : canon_raw_syscall(SYS_read, fd, (long)text, sizeof text - 1, 0, 0, 0);
    if (fd >= 0)
        canon_raw_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
    text[n > 0 ? n : 0] = '\0';
    const char *at = strstr(text, "SigBlk:");
    return at ? strtoull(at + 7, NULL, 16) : 0;
}

void canon_parking_remember(struct canon_kept_thread *thread)
{
    thread->there = !thread->ended;
    thread->by_signal = thread->parked && !thread->ended;
    if (thread->there && !thread->by_signal)
        thread->mask = mask_of(thread->tid);
}

void canon_parking_end(struct canon_kept_thread *thread)
{
    canon_parking_tell(thread, CANON_KEPT_EXIT);
    while (canon_raw_syscall(SYS_tgkill, canon_native.real_pid, thread->tid, 0, 0, 0, 0) == 0)
        canon_kept_wait(&canon_kept->wake, canon_kept->wake, 1);
    *thread = (struct canon_kept_thread){0};
}

void canon_parking_start(void)
{
    struct action action = {called, SA_SIGINFO | SA_RESTART | SA_ONSTACK | RESTORER, canon_raw_restore, 0};
    canon_raw_syscall(SYS_rt_sigaction, SIGNAL, (long)&action, 0, 8, 0, 0);
    canon_raw_syscall(SYS_mmap, CANON_KEPT_PARKING, (long)CANON_KEPT_THREADS * CANON_KEPT_PLACE,
                      PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
}

/* ---- the program's threads ------------------------------------------------------------------------------
 */

void canon_insitu_wait_to_leave(struct canon_self *self)
{
    for (;;) {
        atomic_store(&self->region, 0);
        if (!atomic_load(&canon_kept->stop))
            return;
        atomic_store(&self->region, 1);
        canon_kept_wait(&canon_kept->stop, 1, 0);
    }
}

void canon_insitu_birth(int change)
{
    if (canon_insitu)
        atomic_fetch_add(&canon_kept->births, change);
}

/* Where libc keeps the number of a thread, which the kernel clears at its end. */
static _Atomic int *tid_word(int tid)
{
    enum { USUAL = 720, END = 1600 };
    char *thread = (char *)pthread_self();
    if (*(int *)(thread + USUAL) == tid)
        return (_Atomic int *)(thread + USUAL);
    for (int at = 0; at < END; at += 4)
        if (*(int *)(thread + at) == tid)
            return (_Atomic int *)(thread + at);
    return NULL;
}

void canon_insitu_begins(struct canon_self *self)
{
    int tid = (int)canon_raw_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
    for (int i = 0; i < CANON_KEPT_THREADS; i++) {
        struct canon_kept_thread *thread = &canon_kept->threads[i];
        int nobody = 0;
        if (!atomic_compare_exchange_strong(&thread->tid, &nobody, -1))
            continue;
        thread->self = self;
        thread->tid_word = tid_word(tid);
        self->kept = thread;
        atomic_store(&thread->tid, tid);
        return;
    }
}

void canon_insitu_await_end(pthread_t thread)
{
    const struct canon_kept_thread *own = canon_self.kept;
    if (!canon_insitu || !own || !own->tid_word || thread == pthread_self())
        return;
    _Atomic int *word = (_Atomic int *)((char *)thread + ((char *)own->tid_word - (char *)pthread_self()));
    for (int tid; (tid = atomic_load(word)) > 0;)
        canon_raw_syscall(SYS_futex, (long)word, FUTEX_WAIT, tid, 0, 0, 0);
}

/* As the kernel tells the others that it is gone; but it stays, since it may be put back. */
void canon_insitu_ends(struct canon_self *self)
{
    struct canon_kept_thread *thread = self->kept;
    if (!canon_insitu || !thread || !thread->tid_word)
        return;
    uint64_t all = ~UINT64_C(0);
    canon_raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, 0, 8, 0, 0);
    atomic_store(thread->tid_word, 0);
    atomic_store(&thread->ended, 1);
    canon_raw_syscall(SYS_futex, (long)thread->tid_word, FUTEX_WAKE, INT32_MAX, 0, 0, 0);
    canon_insitu_on(place_of(thread) + CANON_KEPT_STACK, wait_parked, thread);
}
