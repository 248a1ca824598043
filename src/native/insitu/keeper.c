/*
 * keeper.c: see insitu.h. The keeper is a thread that the program does not know: it stands in the zone of
 * what is kept, with variables of a thread of its own, and is always inside canon.
 */
#include "native/arena.h"
#include "native/detect/evidence.h"
#include "native/detect/guard.h"
#include "native/detect/watchpoint.h"
#include "native/heap.h"
#include "native/insitu/debug.h"
#include "native/insitu/image.h"
#include "native/insitu/insitu.h"
#include "native/insitu/kept.h"
#include "native/insitu/snapshot.h"
#include "native/signals.h"
#include "native/stack.h"

#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

enum {
    PATIENCE_MS = 30,   /* for threads to stop, before a snapshot is put off */
    ROLLBACK_MS = 5000, /* before the end; afterwards the program ends without */
    STUCK_MS = 3000,    /* in which nothing moves */
    ENDLESS_MS = 60000, /* in which something computes */
    SETTLE_MS = 1000,   /* for others to come to their ends */
    LOOK_MS = 20,       /* between looks whether the epoch is over */
    STILL_MS = 300,     /* for others to stop, before the program ends */
    FURTHER_MS = 10000, /* for threads to go on */
    TRIES = 6,
};

bool canon_insitu;
static struct canon_findings *findings; /* shared with canon: a rollback leaves it alone */

long canon_insitu_clone(long flags, void *top, void (*function)(void), void *tls);

#define EACH_THREAD(thread)                                                                                  \
    for (struct canon_kept_thread *thread = canon_kept->threads;                                             \
         thread < canon_kept->threads + CANON_KEPT_THREADS; thread++)                                        \
        if (thread->tid)

static int64_t now_ms(clockid_t clock)
{
    struct timespec now;
    canon_raw_syscall(SYS_clock_gettime, clock, (long)&now, 0, 0, 0, 0);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- all threads ----------------------------------------------------------------------------------------
 */

/* Calls those that are not `still`; false if they do not come within some time. */
static bool call_all(bool (*still)(const struct canon_kept_thread *), int most_ms)
{
    int64_t until = now_ms(CLOCK_MONOTONIC) + most_ms;
    for (int tries = 0;; tries++) {
        bool missing = atomic_load(&canon_kept->births) != 0;
        EACH_THREAD(thread)
        {
            if (thread->tid > 0 && still(thread))
                continue;
            missing = true;
            if (thread->tid > 0 && (tries % 16 == 0 || tries > 64)) /* it may have been inside */
                canon_parking_call(thread);
        }
        if (!missing)
            return true;
        if (now_ms(CLOCK_MONOTONIC) > until)
            return false;
        if (tries < 64)
            canon_raw_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
        else
            canon_kept_wait(&canon_kept->wake, canon_kept->wake, 1);
    }
}

static bool is_parked(const struct canon_kept_thread *thread)
{
    return thread->parked;
}

/* All that were stopped for a snapshot; also those that came late. */
static void release(void)
{
    atomic_store(&canon_kept->stop, 0);
    canon_kept_wake(&canon_kept->stop);
    EACH_THREAD(thread)
    if (thread->parked && !thread->ended && thread != canon_kept->ends)
        canon_parking_tell(thread, CANON_KEPT_GO_ON);
}

/* ---- an epoch begins ------------------------------------------------------------------------------------
 */

static void note_lanes(struct canon_kept_lane *reached, int lanes)
{
    for (int i = 1; i <= lanes; i++) {
        const struct canon_lane *lane = canon_lane_at(i);
        reached[i].operations = canon_lane_operations(lane);
        reached[i].events = lane->strand ? canon_strand_position(lane->strand) : 0;
    }
}

static void take_snapshot(void)
{
    canon_guards_check();
    if (canon_kept->holds)
        return; /* what was found happened in the epoch that was about to end */
    EACH_THREAD(thread)
    canon_parking_remember(thread);
    canon_kept->context = !canon_kept->context;
    if (!canon_snapshot_take()) {
        canon_kept->holds = 1; /* the last one is spoilt, and there will be no other */
        canon_kept->epochs = 0;
        return;
    }
    note_lanes(canon_kept->began, canon_lane_most());
    canon_kept->began_ms = now_ms(CLOCK_MONOTONIC);
    canon_kept->cpu_ms = now_ms(CLOCK_PROCESS_CPUTIME_ID);
    canon_kept->epochs++;
}

static void begin_epoch(void)
{
    canon_kept->log_began = canon_role_logged();
    atomic_store(&canon_kept->stop, 1);
    if (call_all(canon_parking_is_still, PATIENCE_MS) && canon_kept->end == CANON_KEPT_RUNS)
        take_snapshot();
    else
        canon_kept->skipped++;
    EACH_THREAD(thread)
    if (thread->ended && thread->parked && !thread->there && canon_kept->epochs)
        canon_parking_end(thread);
    release();
}

/* ---- rolling back ---------------------------------------------------------------------------------------
 */

/* The recorder becomes a replayer of its own trace, in memory as it was. */
static bool turn(void)
{
    char problem[512] = "";
    struct canon_role_config config = {.kind = CANON_ROLE_REPLAYER,
                                       .part = canon_native.part,
                                       .diverged = canon_native_diverged,
                                       .turned = true};
    canon_native.mode = CANON_ROLE_REPLAYER;
    canon_native.records = false;
    canon_native.quiet = true;
    canon_native.again = true;
    if (canon_role_turn(&config, problem, sizeof problem)) {
        snprintf(canon_kept->why, sizeof canon_kept->why, "%s", problem);
        return false;
    }
    for (int i = 1; i <= canon_kept->lanes; i++)
        canon_lane_stop_at(i, canon_kept->reached[i].operations);
    canon_order_turn();
    canon_order_delay(NULL);
    canon_signals_again();
    canon_evidence_search_found(!canon_kept->debugged); /* a debugger has watchpoints itself */
    return true;
}

static bool roll_back(void)
{
    EACH_THREAD(thread)
    if (!thread->there)
        canon_parking_end(thread);
    canon_watchpoints_drop();
    if (!canon_snapshot_restore()) {
        const char *problem = canon_snapshot_problem();
        snprintf(canon_kept->why, sizeof canon_kept->why, "%s", problem ? problem : "memory");
        return false;
    }
    return turn();
}

/* ---- running the epoch again ----------------------------------------------------------------------------
 */

static int64_t movement(void)
{
    int64_t sum = (int64_t)canon_role_events_done();
    for (int i = 1; i <= canon_lane_most(); i++)
        sum += canon_lane_operations(canon_lane_at(i));
    return sum;
}

/* Until it has come to the end, or taken another way. */
static void await_outcome(void)
{
    int64_t since = now_ms(CLOCK_MONOTONIC), began = since, moved = movement(),
            used = now_ms(CLOCK_PROCESS_CPUTIME_ID);
    for (;;) {
        int seen = canon_kept->wake;
        if (canon_kept->arrived || canon_kept->failed)
            return;
        canon_kept_wait(&canon_kept->wake, seen, 20);
        int64_t now = now_ms(CLOCK_MONOTONIC);
        if (movement() != moved) {
            moved = movement();
            began = since = now;
        }
        if (now_ms(CLOCK_PROCESS_CPUTIME_ID) > used + 10) {
            used = now_ms(CLOCK_PROCESS_CPUTIME_ID);
            since = now;
        }
        if (now > since + STUCK_MS || now > began + ENDLESS_MS) {
            snprintf(canon_kept->why, sizeof canon_kept->why, "nothing moves any more");
            canon_kept->failed = 1;
        }
    }
}

/* Lanes that have come as far as they had. */
static int count_equal(void)
{
    int equal = 0;
    for (int i = 1; i <= canon_kept->lanes; i++) {
        const struct canon_lane *lane = canon_lane_at(i);
        uint64_t events = lane->strand ? canon_strand_position(lane->strand) : 0;
        equal += canon_lane_operations(lane) == canon_kept->reached[i].operations &&
                 events == canon_kept->reached[i].events;
    }
    return equal;
}

/* Nobody computes: all wait for what comes no more. */
static bool all_rest(void)
{
    for (int i = 1; i <= canon_lane_most(); i++) {
        const struct canon_lane *lane = canon_lane_at(i);
        if (i != canon_kept->ender && atomic_load(&lane->taken) && !atomic_load(&lane->still))
            return false;
    }
    return true;
}

/* Threads that still computed when the program ended go on, until they have surely come further than then. */
static void go_further(void)
{
    int64_t enough = now_ms(CLOCK_PROCESS_CPUTIME_ID) + 2 * canon_kept->cpu_ms + SETTLE_MS / 10;
    int64_t until = now_ms(CLOCK_MONOTONIC) + FURTHER_MS;
    atomic_store(&canon_kept->further, 1);
    canon_kept_wake(&canon_kept->further);
    do
        canon_kept_wait(&canon_kept->wake, canon_kept->wake, 5);
    while (!all_rest() && now_ms(CLOCK_PROCESS_CPUTIME_ID) < enough && now_ms(CLOCK_MONOTONIC) < until);
    atomic_store(&canon_kept->phase, CANON_KEPT_ROLLING_BACK);
    call_all(is_parked, ROLLBACK_MS);
}

/* The heap, compared with that of the recorded run. */
static const char *compare_heap(char *text, size_t size)
{
    size_t unsettled;
    canon_image_arrived();
    if (canon_kept->end != CANON_KEPT_FAULT)
        go_further();
    if (!canon_image_is_same(&unsettled))
        return "differs";
    if (!unsettled)
        return "is the same";
    snprintf(text, size, "is the same, but for %zu pages that threads were still writing", unsettled);
    return text;
}

static void report(bool reproduced)
{
    if (!findings)
        return;
    findings->tries = (uint32_t)canon_kept->tries;
    findings->reproduced = reproduced;
    findings->epochs = (uint32_t)canon_kept->epochs;
    if (!reproduced) {
        snprintf(findings->outcome, sizeof findings->outcome, "%s", canon_kept->why);
        return;
    }
    int64_t until = now_ms(CLOCK_MONOTONIC) + SETTLE_MS;
    while (count_equal() < canon_kept->lanes && now_ms(CLOCK_MONOTONIC) < until)
        canon_kept_wait(&canon_kept->wake, canon_kept->wake, 5);
    int equal = count_equal();
    char text[100];
    snprintf(findings->outcome, sizeof findings->outcome,
             "%d of %d threads came as far as they had; the heap %s", equal, canon_kept->lanes,
             compare_heap(text, sizeof text));
}

/* The epoch begins again: everybody is parked before. */
static bool begin_again(void)
{
    canon_kept->tries = canon_kept->debugged ? 1 : canon_kept->tries + 1; /* always the way that is best */
    canon_kept->arrived = canon_kept->failed = canon_kept->pinned = canon_kept->further = 0;
    if (!roll_back())
        return false;
    if (canon_kept->debugged)
        canon_debug_rolled_back();
    atomic_store(&canon_kept->phase, CANON_KEPT_REEXECUTING);
    EACH_THREAD(thread)
    if (thread->there) { /* not those that the first of them may be making already */
        atomic_store(&thread->ended, 0);
        thread->delayed = thread->held = false;
        thread->ends = 0;
        canon_parking_tell(thread, CANON_KEPT_GO_BACK);
    }
    return true;
}

/* The program ends as it would have, whatever has become of it here. */
static _Noreturn void end_program(void)
{
    if (canon_kept->end == CANON_KEPT_EXITS)
        canon_raw_syscall(SYS_exit_group, canon_kept->status, 0, 0, 0, 0, 0);
    struct {
        void *handler;
        unsigned long flags;
        void *restorer;
        uint64_t mask;
    } usual = {0};
    uint64_t others = ~(UINT64_C(1) << (canon_kept->status - 1)); /* what else waits is too late */
    canon_raw_syscall(SYS_rt_sigaction, canon_kept->status, (long)&usual, 0, 8, 0, 0);
    canon_raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&others, 0, 8, 0, 0);
    canon_raw_syscall(SYS_tgkill, canon_native.real_pid, canon_raw_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0),
                      canon_kept->status, 0, 0, 0);
    for (;;)
        canon_raw_syscall(SYS_pause, 0, 0, 0, 0, 0, 0);
}

/* All threads are parked, to be put back. */
static bool park_all(void)
{
    atomic_store(&canon_kept->phase, CANON_KEPT_ROLLING_BACK);
    if (call_all(is_parked, ROLLBACK_MS))
        return true;
    snprintf(canon_kept->why, sizeof canon_kept->why, "a thread does not stop");
    return false;
}

/* They are for the first time: what is here now is what the epoch has to come to again. */
static void note_end(void)
{
    atomic_store(&canon_kept->stop, 0); /* no call that comes late stops them again */
    canon_kept->lanes = canon_lane_most();
    note_lanes(canon_kept->reached, canon_kept->lanes);
    canon_kept->ended_ms = now_ms(CLOCK_MONOTONIC);
    canon_kept->cpu_ms = now_ms(CLOCK_PROCESS_CPUTIME_ID) - canon_kept->cpu_ms;
    canon_image_keep();
}

static bool has_come_out(void)
{
    return canon_kept->arrived || canon_kept->failed;
}

/* The program stands before its end, as long as somebody wants to look at it. */
static _Noreturn void be_debugged(void)
{
    canon_debug_permit();
    atomic_store(&findings->stopped, 1);
    enum canon_debug_wish wish = canon_debug_await(NULL);
    while (wish == CANON_DEBUG_ROLL_BACK) {
        bool going = canon_kept->epochs > 0 && park_all() && begin_again();
        if (going)
            wish = canon_debug_await(has_come_out);
        if (!going || wish == CANON_DEBUG_NOTHING) {
            canon_debug_epoch_ended();
            wish = canon_debug_await(NULL);
        }
    }
    end_program();
}

static _Noreturn void run_again(void)
{
    bool going = park_all();
    if (going)
        note_end();
    if (going && canon_kept->debugged)
        be_debugged();
    if (going && !canon_kept->epochs) {
        snprintf(canon_kept->why, sizeof canon_kept->why, "there is no snapshot to go back to");
        going = false;
    }
    while (going && canon_kept->tries < TRIES && !canon_kept->arrived) {
        going = park_all() && begin_again();
        if (going)
            await_outcome();
    }
    report(canon_kept->arrived);
    end_program();
}

/* ---- the thread -----------------------------------------------------------------------------------------
 */

static bool is_still_or_asks(const struct canon_kept_thread *thread)
{
    return thread == canon_kept->asks || canon_parking_is_still(thread);
}

/* The program is about to end: they are not released any more. */
static void still_all(void)
{
    atomic_store(&canon_kept->stop, 1);
    call_all(is_still_or_asks, STILL_MS);
    atomic_store(&canon_kept->stilled, 1);
    canon_kept_wake(&canon_kept->stilled);
}

static bool has_logged_enough(void)
{
    return canon_kept->log_most && canon_role_logged() - canon_kept->log_began > canon_kept->log_most;
}

_Noreturn void canon_keeper_run(void)
{
    canon_self = (struct canon_self){.inside = 1};
    canon_stack_none();
    for (int64_t last = 0;;) {
        int seen = canon_kept->wake;
        if (canon_kept->end != CANON_KEPT_RUNS)
            run_again();
        if (canon_kept->asks) {
            if (!canon_kept->stilled)
                still_all();
            canon_kept_wait(&canon_kept->wake, seen, 100);
            continue;
        }
        release();
        int64_t left = last + canon_kept->period_ms - now_ms(CLOCK_MONOTONIC);
        if ((left <= 0 || has_logged_enough()) && !canon_kept->holds) {
            begin_epoch();
            last = now_ms(CLOCK_MONOTONIC);
        } else {
            canon_kept_wait(&canon_kept->wake, seen, left > 0 && left < LOOK_MS ? (int)left : LOOK_MS);
        }
    }
}

static int add_tls(struct dl_phdr_info *info, size_t size, void *sum)
{
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS)
            *(size_t *)sum += info->dlpi_phdr[i].p_memsz + info->dlpi_phdr[i].p_align;
    return 0;
}

/* Variables of a thread for it, with the values of the running one. */
static char *make_tls(char *end)
{
    enum { DESCRIPTOR = 2304 }; /* of libc, behind the variables */
    size_t size = 4096;
    dl_iterate_phdr(add_tls, &size);
    char *own = (char *)pthread_self(), *made = end - 4096;
    memcpy(made - size + 4096, own - size + 4096, size - 4096);
    memcpy(made, own, DESCRIPTOR);
    memcpy(made, &made, sizeof made); /* it points at itself, */
    memcpy(made + 16, &made, sizeof made);
    return made;
}

static bool map_kept(uint64_t at, size_t size)
{
    return canon_raw_syscall(SYS_mmap, (long)at, (long)size, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1,
                             0) == (long)at;
}

bool canon_insitu_start(struct canon_findings *shared, int period_ms, int log_mb, const char **why)
{
    *why = "there is no memory for snapshots";
    if (!map_kept(CANON_KEPT, sizeof(struct canon_kept)) ||
        !map_kept(CANON_KEPT_KEEPER, CANON_KEPT_KEEPER_STACK) || !canon_image_start() ||
        !canon_snapshot_start())
        return false;
    findings = shared;
    canon_kept->period_ms = period_ms;
    canon_kept->log_most = (uint64_t)log_mb << 20;
    canon_kept->debugged = findings && findings->debug;
    canon_parking_start();
    canon_insitu = true;
    canon_insitu_begins(&canon_self);
    char *keeper_end = (char *)CANON_KEPT_KEEPER + CANON_KEPT_KEEPER_STACK;
    __asm__("" : "+r"(keeper_end)); /* an address, not an object */
    char *tls = make_tls(keeper_end);
    long flags =
        CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS;
    uint64_t all = ~UINT64_C(0), before;
    *why = "no thread can be made";
    canon_raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, (long)&before, 8, 0, 0);
    long keeper = canon_insitu_clone(flags, keeper_end - CANON_KEPT_KEEPER_STACK / 2, canon_keeper_run, tls);
    canon_raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&before, 0, 8, 0, 0);
    canon_kept->keeper = (int)keeper;
    canon_insitu = keeper > 0;
    return canon_insitu;
}

void canon_insitu_await_first(void)
{
    while (canon_insitu && !canon_kept->epochs && !canon_kept->holds)
        canon_raw_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
}

void canon_insitu_forget(void)
{
    canon_insitu = false;
}

/* ---- the end --------------------------------------------------------------------------------------------
 */

void canon_insitu_hold(void)
{
    if (canon_insitu)
        canon_kept->holds = 1;
}

static void tell_keeper(void)
{
    atomic_fetch_add(&canon_kept->wake, 1);
    canon_kept_wake(&canon_kept->wake);
}

void canon_insitu_still(bool if_held)
{
    struct canon_self *self = &canon_self;
    struct canon_kept_thread *nobody = NULL;
    if (!canon_insitu || !self->kept || canon_kept->phase != CANON_KEPT_RECORDING ||
        (if_held && !canon_kept->holds))
        return;
    if (!atomic_compare_exchange_strong(&canon_kept->asks, &nobody, self->kept)) {
        atomic_store(&self->region, 1); /* another one ends the program already */
        for (;;)
            canon_raw_syscall(SYS_pause, 0, 0, 0, 0, 0, 0);
    }
    tell_keeper();
    while (!atomic_load(&canon_kept->stilled))
        canon_kept_wait(&canon_kept->stilled, 0, 0);
}

static void come_to_end(enum canon_kept_end end, int status, uint64_t place)
{
    static _Atomic int lock;
    struct canon_self *self = &canon_self;
    if (!canon_insitu || !self->kept)
        return;
    self->inside++;
    if (canon_kept->phase == CANON_KEPT_REEXECUTING) {
        bool same = canon_kept->end == end && canon_kept->status == status && canon_kept->place == place;
        if (!same)
            snprintf(canon_kept->why, sizeof canon_kept->why, "it ended in another place");
        atomic_store(same ? &canon_kept->arrived : &canon_kept->failed, 1);
    } else {
        canon_spin_lock(&lock); /* who comes second waits for the end */
        canon_kept->status = status;
        canon_kept->place = place;
        canon_kept->ender = self->lane ? (int)self->lane->number : 0;
        canon_kept->ends = self->kept;
        canon_kept->end = end;
    }
    tell_keeper();
    canon_parking_park(self->kept);
    self->inside--;
}

void canon_insitu_fault(int signal, uint64_t place)
{
    come_to_end(CANON_KEPT_FAULT, signal, place);
}

void canon_insitu_aborts(int signal)
{
    come_to_end(CANON_KEPT_ABORT, signal, 0);
}

void canon_insitu_exits(int status)
{
    if (canon_insitu && (canon_kept->holds || canon_kept->phase == CANON_KEPT_REEXECUTING))
        come_to_end(CANON_KEPT_EXITS, status, 0);
}

void canon_insitu_diverged(const struct canon_divergence *divergence)
{
    struct canon_self *self = &canon_self;
    if (!canon_insitu || canon_kept->phase == CANON_KEPT_RECORDING)
        return;
    bool ender = self->lane && self->lane->number == canon_kept->ender;
    if (divergence->kind != CANON_DIVERGED_NONE || ender) {
        snprintf(canon_kept->why, sizeof canon_kept->why, "%s: event %llu: %s, not %s",
                 divergence->strand_name, (unsigned long long)divergence->number,
                 divergence->actual ? divergence->actual : "it went on",
                 divergence->expected ? divergence->expected : "the end");
        atomic_store(&canon_kept->failed, 1);
        tell_keeper();
    }
    for (;;) /* until it is put back, or the program ends */
        canon_raw_syscall(SYS_pause, 0, 0, 0, 0, 0, 0);
}

void canon_insitu_handled(struct canon_self *self, bool recorded)
{
    if (canon_insitu && recorded && canon_native_replays())
        canon_insitu_jump(&self->point);
}
