/*
 * signals.c: see signals.h.
 *
 * The kernel knows canon's handler only. It keeps what arrives until the thread comes to a place that a
 * replay can find again. Faults of the program's own instructions need no place: they come by themselves in a
 * replay, too. A thread that comes to no such place gets the signal where it is (late.h), which a replay can
 * only imitate.
 */
#include "native/signals.h"

#include "native/arena.h"
#include "native/children.h"
#include "native/detect/evidence.h"
#include "native/detect/guard.h"
#include "native/insitu/insitu.h"
#include "native/late.h"
#include "native/ordered.h"
#include "native/racy.h"
#include "trace/reader.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>

enum { SIGNALS = 65, KEPT = 32 };

/* As the kernel has it. */
struct action {
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

/* Two values of a handler that are none. */
#define BY_DEFAULT ((void (*)(int, siginfo_t *, void *))0)
#define IGNORED ((void (*)(int, siginfo_t *, void *))1)

static struct action actions[SIGNALS];

/* What has arrived and was not delivered yet; written by the handler, read by the same thread. */
struct kept {
    int count;
    struct {
        int number;
        siginfo_t info;
    } all[KEPT];
};
static __thread struct kept kept CANON_TLS;

extern char canon_raw_blocking_syscall[], canon_raw_blocking_interrupted[];

static bool has_handler(int number)
{
    return actions[number].handler != BY_DEFAULT && actions[number].handler != IGNORED;
}

static bool is_fault(int number, const siginfo_t *info)
{
    return info->si_code > 0 && (number == SIGSEGV || number == SIGBUS || number == SIGFPE ||
                                 number == SIGILL || number == SIGTRAP);
}

static long set_action(int number, const struct action *action)
{
    return canon_raw_syscall(SYS_rt_sigaction, number, (long)action, 0, 8, 0, 0);
}

/* ---- delivering ---------------------------------------------------------------------------------------- */

static void run_handler(struct canon_self *self, int number, siginfo_t *info)
{
    struct action action = actions[number];
    if (!has_handler(number))
        return;
    if (action.flags & SA_RESETHAND)
        actions[number].handler = BY_DEFAULT;
    uint64_t mask = action.mask | (action.flags & SA_NODEFER ? 0 : UINT64_C(1) << (number - 1)), before;
    canon_raw_syscall(SYS_rt_sigprocmask, SIG_BLOCK, (long)&mask, (long)&before, 8, 0, 0);
    ucontext_t context;
    memset(&context, 0, sizeof context);
    memcpy(&context.uc_sigmask, &before, sizeof before);
    int inside = self->inside, error = errno;
    self->inside = 0;
    action.handler(number, info, &context);
    self->inside = inside;
    errno = error;
    canon_raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&before, 0, 8, 0, 0);
}

/* What the event of a signal has for the number of the operation if it was delivered late. */
enum { LATE = -1 };

/* One signal: an event that says at which operation, and after how many system calls. */
static void deliver(struct canon_self *self, int number, siginfo_t *info, bool late)
{
    struct canon_step *step = canon_step_begin(self->strand, CANON_EVENT_SIGNAL, (uint64_t)number);
    int64_t operations = late ? LATE : self->lane ? canon_lane_operations(self->lane) : 0;
    int64_t calls = self->calls;
    if (step) {
        canon_step_int(step, &operations);
        canon_step_int(step, &calls);
        canon_step_bytes(step, info, sizeof *info);
        canon_step_end(self->strand, CANON_EVENT_SIGNAL, (uint64_t)number);
        canon_lane_arm(self->lane);
    }
    run_handler(self, number, info);
}

/* Recorder: takes the oldest of what was kept. */
static bool take_kept(struct canon_self *self, int *number, siginfo_t *info)
{
    uint64_t all = ~UINT64_C(0), before;
    canon_raw_syscall(SYS_rt_sigprocmask, SIG_BLOCK, (long)&all, (long)&before, 8, 0, 0);
    bool found = kept.count > 0;
    if (found) {
        *number = kept.all[0].number;
        *info = kept.all[0].info;
        memmove(kept.all, kept.all + 1, (size_t)--kept.count * sizeof *kept.all);
    }
    atomic_store(&self->pending, kept.count);
    canon_raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&before, 0, 8, 0, 0);
    return found;
}

/* Replayer: whether the strand's next event is a signal, here; or one that came late, somewhere behind here.
 */
static bool is_next(struct canon_self *self, int *number, bool *late)
{
    const struct canon_event *event = canon_strand_peek(self->strand);
    if (!event || event->kind != CANON_EVENT_SIGNAL || event->id == 0 || event->id >= SIGNALS)
        return false;
    struct canon_step step = {.way = CANON_STEP_GET, .in = canon_reader_over(event->payload, event->size)};
    int64_t operations = -1, calls = 0;
    canon_step_int(&step, &operations);
    canon_step_int(&step, &calls);
    *number = (int)event->id;
    *late = operations == LATE;
    return *late ||
           (operations == (self->lane ? canon_lane_operations(self->lane) : 0) && self->calls >= calls);
}

/* The thread has computed for long: recorder, what was kept comes now. Replayer: about as long as it had. */
static void come_late(struct canon_self *self)
{
    int number;
    siginfo_t info;
    bool late = true;
    if (self->inside || !self->strand || self->ended)
        return; /* it is about to come to a place */
    self->inside++;
    memset(&info, 0, sizeof info);
    while (late &&
           (canon_native_replays() ? is_next(self, &number, &late) : take_kept(self, &number, &info))) {
        if (!late)
            break;
        canon_role_note(CANON_NOTE_LIMIT,
                        "a signal came while the program computed: the place is not in the trace");
        deliver(self, number, &info, true);
    }
    self->inside--;
}

/* Replayer, before a step: a signal that came late must have come by now. */
static void take_late(struct canon_self *self)
{
    int number;
    bool late = false;
    while (is_next(self, &number, &late) && late) {
        siginfo_t info;
        memset(&info, 0, sizeof info);
        deliver(self, number, &info, true);
    }
}

void canon_signals_before(struct canon_self *self)
{
    if (canon_native_replays())
        take_late(self);
}

static bool deliver_next(struct canon_self *self, int *number)
{
    siginfo_t info;
    bool late = false;
    memset(&info, 0, sizeof info);
    bool found = canon_native_replays() ? is_next(self, number, &late)
                                        : atomic_load(&self->pending) && take_kept(self, number, &info);
    if (late) {
        canon_late_arm(self, come_late);
        return false;
    }
    if (found)
        deliver(self, *number, &info, false);
    return found;
}

/* Calls that go on after a handler with SA_RESTART. */
static bool restarts(const struct canon_frame *asked)
{
    switch (asked->rax) {
    case SYS_read:
    case SYS_readv:
    case SYS_write:
    case SYS_writev:
    case SYS_open:
    case SYS_openat:
    case SYS_wait4:
    case SYS_waitid:
    case SYS_accept:
    case SYS_accept4:
    case SYS_connect:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_flock:
        return true;
    case SYS_futex:
        return !asked->r10;
    default:
        return false;
    }
}

bool canon_signals_deliver(struct canon_self *self, const struct canon_frame *asked, long result)
{
    bool again = false;
    int number;
    if (canon_native.records && !atomic_load_explicit(&self->pending, memory_order_relaxed))
        return false; /* nearly always */
    while (deliver_next(self, &number))
        again = again || actions[number].flags & SA_RESTART;
    return again && result == -EINTR && restarts(asked);
}

void canon_signals_wait_begins(struct canon_self *self)
{
    int number;
    while (deliver_next(self, &number))
        ;
    self->paused = canon_turns_pause(self, CANON_TURNS_LONG);
    while (canon_native_replays() && self->turns && deliver_next(self, &number))
        canon_turns_pause(self, CANON_TURNS_LONG);
    if (!canon_native_replays())
        self->blocked = true;
}

void canon_signals_wait_ended(struct canon_self *self)
{
    self->blocked = false;
    canon_turns_resume(self, self->paused);
}

/* ---- canon's handler ----------------------------------------------------------------------------------- */

static void keep(struct canon_self *self, int number, const siginfo_t *info)
{
    if (kept.count == KEPT)
        return; /* as the kernel does with those that are pending already */
    kept.all[kept.count].number = number;
    kept.all[kept.count++].info = *info;
    atomic_store(&self->pending, kept.count);
}

static void arrived(int number, siginfo_t *info, void *context)
{
    struct canon_self *self = &canon_self;
    int error = errno;
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    bool fault = is_fault(number, info);
    if (fault)
        canon_racy_faulted(self);
    if (fault && self->inside) { /* canon's own, or a bad address that the program has given */
        struct action none = {.handler = BY_DEFAULT};
        set_action(number, &none);
        return;
    }
    if (fault && !has_handler(number)) { /* with detectors only; it ends the program when it comes again */
        struct action none = {.handler = BY_DEFAULT};
        canon_evidence_fault(info, context);
        canon_insitu_fault(number, (uint64_t)registers[REG_RIP]);
        set_action(number, &none);
    } else if (fault || !self->strand || self->ended || canon_native.mode != CANON_ROLE_RECORDER) {
        if (has_handler(number))
            actions[number].handler(number, info, context);
    } else if (self->blocked) {
        int region = atomic_exchange(&self->region, 0);
        self->blocked = false;
        canon_turns_resume(self, self->paused);
        deliver(self, number, info, false);
        self->paused = canon_turns_pause(self, CANON_TURNS_LONG);
        self->blocked = true;
        canon_insitu_handled(self, true);
        atomic_store(&self->region, region);
    } else {
        keep(self, number, info);
        char *at = (char *)registers[REG_RIP];
        if (at >= (char *)canon_raw_blocking && at <= canon_raw_blocking_syscall)
            registers[REG_RIP] = (greg_t)canon_raw_blocking_interrupted;
        if (!self->inside)
            canon_late_arm(self, come_late);
    }
    errno = error;
}

/* ---- children ------------------------------------------------------------------------------------------ */

void canon_signals_forked(struct canon_self *self)
{
    kept.count = 0;
    atomic_store(&self->pending, 0);
    canon_late_forked();
}

void *canon_signals_save(void)
{
    return memcpy(canon_arena_get(sizeof actions), actions, sizeof actions);
}

void canon_signals_restore(void *saved)
{
    memcpy(actions, saved, sizeof actions);
    canon_arena_put(saved);
}

/* ---- system calls -------------------------------------------------------------------------------------- */

/* What the kernel is told of the program's action. A replay is sent no signals: only faults have handlers
 * then. */
static void install(int number, const struct action *wanted)
{
    struct action real = *wanted;
    bool handled = wanted->handler != BY_DEFAULT && wanted->handler != IGNORED;
    bool faults =
        number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL || number == SIGTRAP;
    if (handled) {
        real.handler = arrived;
        real.flags = (wanted->flags & (SA_NOCLDSTOP | SA_NOCLDWAIT | SA_ONSTACK)) | SA_SIGINFO | 0x04000000;
        real.restorer = canon_raw_restore;
        if (faults)
            real.flags |= wanted->flags & (SA_NODEFER | SA_RESETHAND);
        if (canon_native_replays() && !faults)
            real.handler = BY_DEFAULT;
    }
    if ((canon_guards.on || canon_insitu) && faults && wanted->handler == BY_DEFAULT)
        real = (struct action){arrived, SA_SIGINFO | SA_ONSTACK | 0x04000000, canon_raw_restore, 0};
    if (canon_evidence_searches && number == SIGTRAP)
        return; /* watchpoints have it */
    set_action(number, &real);
}

void canon_signals_start(void)
{
    static const int FAULTS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof FAULTS / sizeof *FAULTS; i++)
        install(FAULTS[i], &actions[FAULTS[i]]);
}

void canon_signals_again(void)
{
    for (int number = 1; number < SIGNALS; number++)
        if (number != SIGKILL && number != SIGSTOP && (number < 32 || number > 33) && number < 63)
            install(number, &actions[number]);
}

void canon_signals_action(struct canon_self *self, struct canon_frame *frame, long origin)
{
    (void)self, (void)origin;
    int number = (int)frame->rdi;
    const struct action *wanted = (const struct action *)frame->rsi;
    struct action *before = (struct action *)frame->rdx;
    if (number < 1 || number >= SIGNALS || number == SIGKILL || number == SIGSTOP || number == 32 ||
        number == 33) { /* the last two are libc's own */
        frame->rax = canon_frame_perform(frame);
        return;
    }
    struct action old = actions[number];
    if (wanted) {
        actions[number] = *wanted;
        install(number, wanted);
    }
    if (before)
        *before = old;
    frame->rax = 0;
}

/* Signals that are canon's own cannot be blocked. */
void canon_signals_mask(struct canon_self *self, struct canon_frame *frame, long origin)
{
    (void)self, (void)origin;
    const uint64_t *wanted = (const uint64_t *)frame->rsi;
    uint64_t allowed;
    struct canon_frame call = *frame;
    if (wanted && frame->r10 == sizeof allowed && frame->rdi != SIG_UNBLOCK) {
        allowed = *wanted & ~(UINT64_C(3) << 62);
        call.rsi = (long)&allowed;
    }
    frame->rax = canon_frame_perform(&call);
}

void canon_signals_suspend(struct canon_self *self, struct canon_frame *frame, long origin)
{
    (void)origin;
    const char *name = frame->rax == SYS_pause ? "pause" : "rt_sigsuspend";
    bool paused = canon_turns_pause(self, CANON_TURNS_LONG);
    long result = 0;
    if (!canon_native_replays() && !CANON_INSITU_POINT(self)) {
        result = canon_raw_blocking(frame->rax, frame->rdi, frame->rsi, 0, 0, 0, 0, &self->pending);
        canon_insitu_leave(self);
    }
    canon_turns_resume(self, paused);
    if (canon_call_begin(self, name, &result))
        canon_call_end(self, name);
    frame->rax = result;
}

/* Whether the signal goes to this thread, or all of the process, and ends it. */
static bool is_own_end(const struct canon_self *self, const struct canon_frame *frame, int number)
{
    uint64_t blocked = 0;
    if (number < 1 || number >= SIGNALS || frame->rax == SYS_tkill ||
        (int)frame->rdi != canon_native.recorded_pid ||
        (frame->rax == SYS_tgkill && (int)frame->rsi != self->tid) || actions[number].handler != BY_DEFAULT)
        return false;
    canon_raw_syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, (long)&blocked, 8, 0, 0);
    return !(blocked >> (number - 1) & 1) && number != SIGCHLD && number != SIGCONT && number != SIGURG &&
           number != SIGWINCH && number != SIGSTOP && number != SIGTSTP && number != SIGTTIN &&
           number != SIGTTOU;
}

void canon_signals_kill(struct canon_self *self, struct canon_frame *frame, long origin)
{
    (void)origin;
    int number = (int)(frame->rax == SYS_tgkill ? frame->rdx : frame->rsi);
    if (is_own_end(self, frame, number)) {
        bool replays = canon_native_replays();
        canon_evidence_end();
        canon_insitu_still(false);
        if (!canon_native.again)
            canon_role_finish(self->strand);
        canon_insitu_aborts(number);
        if (replays)
            canon_children_wait();
        frame->rdi = canon_native.real_pid;
        if (frame->rax == SYS_tgkill)
            frame->rsi = canon_raw_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
        frame->rax = canon_frame_perform(frame);
        return;
    }
    struct canon_call row = *canon_call_row(frame->rax);
    row.class = CANON_CALL_IRREVOCABLE;
    canon_call_by_row(self, frame, &row);
}
