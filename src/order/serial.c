/* serial.c: see serial.h. The log of turns, and their replay; who runs while recording is baton.c's. */
#include "order/serial.h"

#include "base/error.h"
#include "order/baton.h"
#include "trace/reader.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The events: ORDER with id 0, which is no lane; payload: varint(value << 2 | what). */
enum { ID = 0 };
#define FARTHEST (INT64_C(1) << 58) /* operation or turn: no program gets there, and sums stay in range */
enum what {
    LEFT = 0,      /* value: operations since the strand's last event of this kind */
    LEFT_OPEN = 1, /* likewise; before the operation that comes next */
    TURN = 2,      /* value: how much larger the turn's number is than that of the lane's last one */
};

enum {
    SPINS = 40,
    YIELDS = 20,
    NAP_NANOS = 20000000,
    NAPS_BLOCKED = 3,   /* for which a holder sleeps whose turn is open, before it is taken for blocked, */
    NAPS_SPINNING = 50, /* or computes, before it is taken for one that spins */
    STUCK_SECONDS = 20,
    STUCK_RUNNING_SECONDS = 600, /* while somebody computes */
};

static bool is_on;
static bool enforcing;
static bool limited;                          /* a strand that spins loses its turn */
static _Atomic int64_t turn_now = 1;          /* replay: whose turn it is */
static struct canon_lane *_Atomic holder_now; /* replay: and who was the last to have one */

int canon_serial_start(bool enforced)
{
    is_on = true;
    enforcing = enforced;
    return canon_order_start(enforced);
}

bool canon_serial_is_on(void)
{
    return is_on;
}

void canon_serial_limit(int64_t nanos, void (*told)(void))
{
    limited = true;
    canon_baton_limit(nanos, told);
}

void canon_serial_forked(void)
{
    turn_now = 1;
    holder_now = NULL;
    canon_baton_forked();
    for (int i = 1; i <= canon_lane_most(); i++) {
        struct canon_lane *lane = canon_lane_at(i);
        lane->turn = 0;
        lane->wanted = 0;
        lane->steady = 0;
        lane->pressed = lane->open = false;
    }
}

bool canon_serial_is_enforced(void)
{
    return enforcing;
}

static bool replaying(void)
{
    return canon_role_now() == CANON_ROLE_REPLAYER;
}

/* ---- recording ---------------------------------------------------------------------------------------- */

/* False: nothing is logged any more. */
static bool log_it(struct canon_lane *lane, enum what what, int64_t value)
{
    struct canon_step *step = canon_step_begin(lane->strand, CANON_EVENT_ORDER, ID);
    if (!step)
        return false;
    canon_buffer_put_varint(step->out, (uint64_t)value << 2 | what);
    canon_step_end(lane->strand, CANON_EVENT_ORDER, ID);
    return true;
}

static void log_left(struct canon_lane *lane, int64_t at, bool open)
{
    log_it(lane, open ? LEFT_OPEN : LEFT, at - lane->logged);
    lane->logged = at;
}

/* `before` is the lane's last turn. One that comes when the process ends is not in the log, so nothing may be
 * done in it. */
static void log_turn(struct canon_lane *lane, int64_t before)
{
    if (!log_it(lane, TURN, lane->turn - before))
        while (canon_role_is_over())
            pause();
}

/* The baton was lent or lost: the turn ended then. */
static void regain(struct canon_lane *lane)
{
    int64_t before = lane->turn;
    log_left(lane, lane->left_at, lane->left_open);
    if (canon_baton_take(lane))
        log_turn(lane, before);
}

static void record_turn(struct canon_lane *lane)
{
    __atomic_store_n(&lane->next, INT64_MAX, __ATOMIC_RELAXED);
    if (!canon_baton_is_held_by(lane)) {
        regain(lane);
    } else if (canon_baton_is_wanted() && (!lane->steady || lane->pressed)) {
        int64_t before = lane->turn;
        log_left(lane, canon_lane_operations(lane), false);
        if (canon_baton_rotate(lane))
            log_turn(lane, before);
    }
}

static bool record_pause(struct canon_lane *lane, unsigned how)
{
    if (canon_baton_is_lent_by(lane))
        return false;
    while (!canon_baton_lend(lane, how & CANON_PAUSE_LONG)) {
        regain(lane);
        if (canon_role_now() != CANON_ROLE_RECORDER)
            return false;
    }
    lane->left_at = canon_lane_operations(lane);
    lane->left_open = !(how & CANON_PAUSE_COUNTED);
    return true;
}

/* ---- replay: whose turn it is ------------------------------------------------------------------------- */

static void wake(int64_t turn)
{
    for (int i = 1; i <= canon_lane_most(); i++) {
        struct canon_lane *lane = canon_lane_at(i);
        if (atomic_load(&lane->wanted) != turn)
            continue;
        atomic_fetch_add(&lane->bell, 1);
        syscall(SYS_futex, &lane->bell, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
    }
}

/* The lane's turn is over, unless somebody has found that out before. */
static void hand_over(struct canon_lane *lane)
{
    int64_t mine = lane->turn;
    if (atomic_compare_exchange_strong(&turn_now, &mine, mine + 1))
        wake(mine + 1);
}

/* What a strand that waits sees of the others. */
struct view {
    uint64_t events;
    int64_t turn, count;
    time_t since;
    int asleep, awake; /* naps for which the holder sleeps, or computes, at the open end of its turn */
};

static int64_t end_of(const struct canon_lane *lane)
{
    return __atomic_load_n(&lane->next, __ATOMIC_RELAXED) / CANON_LANE_STEP;
}

static _Noreturn void stuck(struct canon_lane *lane, const struct canon_lane *holder)
{
    char expected[160], actual[320];
    snprintf(expected, sizeof expected, "turn %lld", (long long)lane->turn);
    snprintf(actual, sizeof actual, "turn %lld is on, of %s, and nothing moves any more", (long long)turn_now,
             holder && holder->strand ? canon_strand_label(holder->strand) : "a strand that has ended");
    canon_strand_stuck(lane->strand, expected, actual);
}

/* Between naps: takes the turn from a holder that blocks where it did in the recording. */
static void look_around(struct canon_lane *lane, struct view *view)
{
    struct canon_lane *holder = holder_now;
    int64_t count = holder ? atomic_load(&holder->count) : 0;
    bool sleeps = !holder || holder->turn != turn_now || canon_thread_sleeps(holder->thread);
    if (view->events != canon_role_events_done() || view->turn != turn_now || view->count != count) {
        *view = (struct view){canon_role_events_done(), turn_now, count, time(NULL), 0, 0};
        return;
    }
    bool ends = holder && atomic_load(&holder->open) && end_of(holder) <= canon_lane_operations(holder);
    view->asleep = ends && sleeps ? view->asleep + 1 : 0;
    view->awake = ends && !sleeps ? view->awake + 1 : 0;
    if ((view->asleep >= NAPS_BLOCKED || (limited && view->awake >= NAPS_SPINNING)) &&
        lane->turn == view->turn + 1)
        hand_over(holder);
    if (time(NULL) - view->since > (sleeps ? STUCK_SECONDS : STUCK_RUNNING_SECONDS))
        stuck(lane, holder);
}

static void wait_for_turn(struct canon_lane *lane)
{
    struct view view = {0};
    for (int i = 0; turn_now < lane->turn; i++) {
        if (i < SPINS) {
            __builtin_ia32_pause();
        } else if (i < SPINS + YIELDS) {
            sched_yield();
        } else {
            uint32_t bell = atomic_load(&lane->bell);
            struct timespec limit = {.tv_nsec = NAP_NANOS};
            atomic_store(&lane->wanted, lane->turn);
            if (turn_now < lane->turn)
                syscall(SYS_futex, &lane->bell, FUTEX_WAIT_PRIVATE, bell, &limit, NULL, 0);
            if (turn_now < lane->turn)
                look_around(lane, &view);
        }
    }
    atomic_store(&lane->wanted, 0);
    if (turn_now != lane->turn)
        canon_step_mismatch(lane->strand, "a turn of its own", "a turn that is over");
    holder_now = lane;
}

/* ---- replay: the log ---------------------------------------------------------------------------------- */

static bool is_too_far(int64_t from, uint64_t more)
{
    return more > (uint64_t)(FARTHEST - from);
}

static int64_t count_at(int64_t from, uint64_t more)
{
    return is_too_far(from, more) ? INT64_MAX : (from + (int64_t)more) * CANON_LANE_STEP;
}

void canon_serial_arm(struct canon_lane *lane)
{
    int64_t next = INT64_MAX;
    bool open = false;
    const struct canon_event *event = canon_strand_peek(lane->strand);
    if (event && event->kind == CANON_EVENT_ORDER && event->id == ID) {
        struct canon_reader in = canon_reader_over(event->payload, event->size);
        uint64_t value = canon_reader_varint(&in);
        open = (value & 3) == LEFT_OPEN;
        if ((value & 3) != TURN)
            next = count_at(lane->logged, value >> 2);
    } else if (event && event->kind == CANON_EVENT_END && event->id == CANON_END_RUNNING) {
        struct canon_reader in = canon_reader_over(event->payload, event->size);
        canon_reader_varint(&in);
        canon_reader_varint(&in);
        next = count_at(0, canon_reader_varint(&in));
        open = true;
    }
    atomic_store_explicit(&lane->open, false, memory_order_relaxed);
    __atomic_store_n(&lane->next, next, __ATOMIC_RELAXED);
    atomic_store_explicit(&lane->open, open, memory_order_release);
}

/* Takes an event of the strand, which has to be a TURN, or else to be about leaving; its value. */
static int64_t take_event(struct canon_lane *lane, bool is_turn)
{
    struct canon_step *step = canon_step_begin(lane->strand, CANON_EVENT_ORDER, ID);
    while (!step)
        pause(); /* the process is ending */
    uint64_t value = canon_reader_varint(&step->in);
    enum what what = value & 3;
    if ((is_turn ? what != TURN || value >> 2 == 0 : what != LEFT && what != LEFT_OPEN) ||
        is_too_far(is_turn ? lane->turn : lane->logged, value >> 2))
        canon_step_mismatch(lane->strand, is_turn ? "a turn of this strand" : "the end of a turn",
                            "something else");
    canon_step_end(lane->strand, CANON_EVENT_ORDER, ID);
    return (int64_t)(value >> 2);
}

static void take_turn(struct canon_lane *lane)
{
    lane->turn += take_event(lane, true);
    if (enforcing)
        wait_for_turn(lane);
    canon_lane_delay(lane);
    canon_serial_arm(lane);
}

/* The turn has ended; the next one comes sooner or later, or the end of the recording. */
static void leave(struct canon_lane *lane)
{
    if (enforcing)
        hand_over(lane);
    lane->logged += take_event(lane, false);
    take_turn(lane);
}

static _Noreturn void passed(struct canon_lane *lane, int64_t end, int64_t operations)
{
    char expected[80], actual[80];
    snprintf(expected, sizeof expected, "the end of a turn at operation %lld", (long long)end);
    snprintf(actual, sizeof actual, "operation %lld", (long long)operations);
    canon_step_mismatch(lane->strand, expected, actual);
}

/* Whether the turn ends here: at an operation just counted, or, `blocking`, where it waits. */
static bool ends_here(struct canon_lane *lane, bool blocking)
{
    int64_t end = end_of(lane), operations = canon_lane_operations(lane);
    if (lane->open)
        return blocking ? operations >= end : operations > end;
    if (operations > end && enforcing)
        passed(lane, end, operations);
    return operations >= end;
}

static bool has_no_more(struct canon_lane *lane)
{
    return !canon_strand_peek(lane->strand);
}

static bool replay_pause(struct canon_lane *lane, unsigned how)
{
    if (how & CANON_PAUSE_COUNTED) {
        /* What blocked when the recording was cut off did so without a word. */
        while (ends_here(lane, true) || has_no_more(lane))
            leave(lane);
        return false;
    }
    if (!enforcing || !lane->open || !ends_here(lane, true))
        return false;
    hand_over(lane);
    return true;
}

static void replay_resume(struct canon_lane *lane)
{
    leave(lane);
    while (ends_here(lane, false))
        leave(lane);
}

/* ---- both ways ---------------------------------------------------------------------------------------- */

void canon_serial_begin(struct canon_lane *lane)
{
    lane->thread = (int)syscall(SYS_gettid);
    if (replaying()) {
        take_turn(lane);
        return;
    }
    int64_t before = lane->turn;
    if (canon_baton_take(lane))
        log_turn(lane, before);
}

void canon_serial_end(struct canon_lane *lane)
{
    if (!replaying())
        canon_baton_drop(lane);
    else if (enforcing)
        hand_over(lane);
}

void canon_serial_rest(struct canon_lane *lane)
{
    if (enforcing)
        hand_over(lane);
}

void canon_serial_turn(struct canon_lane *lane)
{
    if (atomic_load(&lane->count) < __atomic_load_n(&lane->next, __ATOMIC_RELAXED))
        return;
    enum canon_role_kind role = canon_role_now();
    if (role == CANON_ROLE_RECORDER)
        record_turn(lane);
    else if (role == CANON_ROLE_REPLAYER)
        while (ends_here(lane, false))
            leave(lane);
}

bool canon_serial_pause(struct canon_lane *lane, unsigned how)
{
    enum canon_role_kind role = canon_role_now();
    if (role == CANON_ROLE_PASSTHROUGH)
        return false;
    return role == CANON_ROLE_REPLAYER ? replay_pause(lane, how) : record_pause(lane, how);
}

void canon_serial_resume(struct canon_lane *lane)
{
    if (replaying())
        replay_resume(lane);
    else if (!canon_baton_recover(lane))
        regain(lane);
}
