/* lane.c: see lane.h. The recording half of each thing and its replaying half stand next to each other. */
#include "order/lane.h"

#include "base/assert.h"
#include "base/error.h"
#include "order/clock.h"
#include "order/serial.h"
#include "trace/reader.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* The id of an ORDER event: a lane's number, and whether the strand takes that lane or follows it. */
enum { FOLLOWS = 0, TAKES = 1 };

static struct canon_lane *lanes;
static bool enforcing;

/* Protects which lanes are taken when recording; leaf lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int free_lanes[CANON_LANE_COUNT];
static int free_count;
static int most; /* lanes 1 to `most` were ever taken */

int canon_order_start(bool enforced)
{
    enforcing = enforced;
    size_t size = CANON_LANE_COUNT * (sizeof *lanes + CANON_LANE_COUNT * sizeof *lanes->seen);
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return CANON_E_NOMEM;
    lanes = memory;
    canon_order_prepare_fence();
    return 0;
}

static void prepare(int number)
{
    struct canon_lane *lane = &lanes[number];
    lane->number = number;
    lane->owned = INT64_C(1) << 62 | (int64_t)number << 49; /* as java.lang.CanonRecord makes it */
    lane->seen = (int64_t *)(lanes + CANON_LANE_COUNT) + (size_t)number * CANON_LANE_COUNT;
    lane->seen[number] = INT64_MAX; /* what it did itself */
    lane->next = INT64_MAX;
    lane->waited = INT64_MAX;
    if (number > most)
        __atomic_store_n(&most, number, __ATOMIC_RELEASE);
}

struct canon_lane *canon_lane_at(int number)
{
    return &lanes[number];
}

int canon_lane_most(void)
{
    return __atomic_load_n(&most, __ATOMIC_ACQUIRE);
}

int64_t canon_lane_total(void)
{
    int64_t total = 0;
    for (int i = 1; i < CANON_LANE_COUNT; i++)
        total += canon_lane_operations(&lanes[i]);
    return total;
}

void canon_order_forked(struct canon_lane *kept)
{
    pthread_mutex_init(&lock, NULL);
    free_count = 0;
    for (int i = most; i > 0; i--) {
        struct canon_lane *lane = &lanes[i];
        if (!lane->number)
            prepare(i);
        lane->strand = NULL;
        lane->next = INT64_MAX;
        lane->waited = INT64_MAX;
        lane->taken = 0;
        lane->awaited = 0;
        lane->sleepers = NULL;
        lane->sleepers_lock = false;
        if (lane == kept)
            continue;
        memset(lane->seen, 0, CANON_LANE_COUNT * sizeof *lane->seen); /* a matter of timing, at replay */
        lane->seen[i] = INT64_MAX;
        free_lanes[free_count++] = i;
    }
    if (kept)
        free_lanes[free_count++] = (int)kept->number;
    canon_order_prepare_fence();
}

void canon_order_set(int number, int64_t operations)
{
    if (!lanes[number].number)
        prepare(number);
    lanes[number].count = operations * CANON_LANE_STEP;
}

/* ---- taking and leaving a lane ------------------------------------------------------------------------- */

static struct canon_lane *take_any(void)
{
    pthread_mutex_lock(&lock);
    int number = free_count ? free_lanes[--free_count] : most + 1;
    if (number > most && number < CANON_LANE_COUNT)
        prepare(number);
    pthread_mutex_unlock(&lock);
    return number < CANON_LANE_COUNT ? &lanes[number] : NULL;
}

static struct canon_lane *record_open(struct canon_strand *strand)
{
    struct canon_lane *lane = take_any();
    if (!lane) {
        canon_role_note(CANON_NOTE_LIMIT, "too many threads at once: the order of some was not recorded");
        return NULL;
    }
    uint64_t id = (uint64_t)lane->number << 1 | TAKES;
    struct canon_step *step = canon_step_begin(strand, CANON_EVENT_ORDER, id);
    if (step) {
        canon_buffer_put_varint(step->out, (uint64_t)canon_lane_operations(lane));
        canon_step_end(strand, CANON_EVENT_ORDER, id);
    }
    return lane;
}

/* Between looks at something that others change; `tries` so far. */
static void nap(int tries)
{
    if (tries < 100)
        sched_yield();
    else
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

/* Waits until the strand that had the lane before has left it. */
static void await_lane(struct canon_lane *lane, int64_t operations, struct canon_strand *strand)
{
    canon_lane_wait_for(NULL, strand, lane, operations);
    for (int i = 0; atomic_load(&lane->taken); i++)
        nap(i);
}

static struct canon_lane *replay_open(struct canon_strand *strand)
{
    const struct canon_event *event = canon_strand_peek(strand);
    uint64_t number = event ? event->id >> 1 : 0;
    if (!event || event->kind != CANON_EVENT_ORDER || !(event->id & TAKES) || number == 0 ||
        number >= CANON_LANE_COUNT)
        return NULL;
    uint64_t id = event->id;
    struct canon_step *step = canon_step_begin(strand, CANON_EVENT_ORDER, id);
    int64_t operations = (int64_t)canon_reader_varint(&step->in);
    canon_step_end(strand, CANON_EVENT_ORDER, id);
    struct canon_lane *lane = &lanes[number];
    pthread_mutex_lock(&lock);
    if (!lane->number)
        prepare((int)number);
    pthread_mutex_unlock(&lock);
    if (enforcing)
        await_lane(lane, operations, strand);
    else
        lane->count = operations * CANON_LANE_STEP;
    return lane;
}

struct canon_lane *canon_lane_open(struct canon_strand *strand)
{
    enum canon_role_kind role = canon_role_now();
    if (role == CANON_ROLE_PASSTHROUGH)
        return NULL;
    struct canon_lane *lane = role == CANON_ROLE_REPLAYER ? replay_open(strand) : record_open(strand);
    if (!lane)
        return NULL;
    atomic_store(&lane->taken, 1);
    lane->strand = strand;
    lane->clock = NULL; /* unless it gets one: clock.h */
    lane->still = 0;
    lane->overdue = -1;
    lane->logged = canon_lane_operations(lane);
    canon_strand_counts(strand, &lane->count);
    canon_lane_arm(lane);
    return lane;
}

/*
 * Leaving counts as an operation, so that the next strand on the lane finds, at replay too, that this one has
 * been there even if it did nothing else. A strand that is not stored leaves no trace here either.
 */
void canon_lane_close(struct canon_lane *lane, struct canon_strand *strand)
{
    bool kept = canon_role_now() == CANON_ROLE_REPLAYER || canon_strand_is_kept(strand);
    canon_strand_close(strand);
    if (!lane)
        return;
    lane->strand = NULL;
    lane->next = INT64_MAX;
    if (kept)
        canon_lane_done(lane);
    if (canon_serial_is_on())
        canon_serial_end(lane);
    atomic_store(&lane->taken, 0);
    pthread_mutex_lock(&lock);
    if (canon_role_now() == CANON_ROLE_RECORDER)
        free_lanes[free_count++] = (int)lane->number;
    pthread_mutex_unlock(&lock);
}

/* ---- edges --------------------------------------------------------------------------------------------- */

/* Waits out an operation that the other lane is just doing in the fast way. */
static void settle_one(const struct canon_lane *other)
{
    int64_t count = atomic_load(&other->count);
    for (int i = 0; (count & 3) == CANON_LANE_FAST && atomic_load(&other->count) == count; i++) {
        if (i < 100)
            __builtin_ia32_pause();
        else
            sched_yield();
    }
}

/*
 * Recorder: the process is ending, and the edge of the operation in work comes too late. It must not be among
 * those that the strand's end tells of: a replay would do it when it likes.
 */
static void await_end(void)
{
    while (canon_role_now() == CANON_ROLE_RECORDER)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

void canon_lane_follow_to(struct canon_lane *lane, int other, int64_t operations)
{
    if (other <= 0 || other >= CANON_LANE_COUNT || other == lane->number || lane->seen[other] >= operations)
        return;
    uint64_t id = (uint64_t)other << 1 | FOLLOWS;
    struct canon_step *step = canon_step_begin(lane->strand, CANON_EVENT_ORDER, id);
    if (!step) {
        await_end();
        return;
    }
    int64_t own = canon_lane_operations(lane);
    canon_buffer_put_varint(step->out, (uint64_t)(own - lane->logged));
    canon_buffer_put_varint(step->out, (uint64_t)(operations - lane->seen[other]));
    canon_step_end(lane->strand, CANON_EVENT_ORDER, id);
    lane->logged = own;
    lane->seen[other] = operations;
}

void canon_lane_follow(struct canon_lane *lane, int other, bool settle)
{
    if (settle)
        canon_order_fence();
    int first = other ? other : 1, last = other ? other : canon_lane_most();
    for (int i = first; i <= last; i++) {
        if (settle && i != lane->number)
            settle_one(&lanes[i]);
        canon_lane_follow_to(lane, i, canon_lane_operations(&lanes[i]));
    }
}

static struct {
    uint64_t id;
    void (*perform)(struct canon_lane *lane);
} due_steps;

void canon_lane_due(uint64_t id, void (*perform)(struct canon_lane *lane))
{
    due_steps.id = id;
    due_steps.perform = perform;
}

static bool is_due(const struct canon_event *event)
{
    return due_steps.perform && event->kind == CANON_EVENT_NATIVE && event->id == due_steps.id;
}

static int64_t due_at(const struct canon_event *event)
{
    struct canon_step step = {.way = CANON_STEP_GET, .in = canon_reader_over(event->payload, event->size)};
    int64_t operations = -1;
    canon_step_int(&step, &operations);
    return operations * CANON_LANE_STEP;
}

void canon_lane_arm(struct canon_lane *lane)
{
    if (!lane || !lane->strand || canon_role_now() != CANON_ROLE_REPLAYER)
        return;
    if (canon_serial_is_on()) {
        canon_serial_arm(lane);
        return;
    }
    lane->next = INT64_MAX;
    const struct canon_event *event = canon_strand_peek(lane->strand);
    if (!event) {
        lane->next = lane->last ? (lane->last - 1) * CANON_LANE_STEP : INT64_MAX;
        return;
    }
    struct canon_reader in = canon_reader_over(event->payload, event->size);
    if (event->kind == CANON_EVENT_ORDER)
        lane->next = (lane->logged + (int64_t)canon_reader_varint(&in)) * CANON_LANE_STEP;
    else if (event->kind == CANON_EVENT_END && event->id == CANON_END_RUNNING) {
        canon_reader_varint(&in);
        canon_reader_varint(&in);
        lane->next = (int64_t)canon_reader_varint(&in) * CANON_LANE_STEP;
        if (lane->next < lane->count)
            lane->next = lane->count; /* its last step was written, but not counted any more */
    }
    if (!enforcing && event->kind != CANON_EVENT_ORDER)
        lane->next = INT64_MAX;
    if (is_due(event))
        lane->next = due_at(event);
}

struct canon_lane *canon_lane_comes_after(struct canon_lane *lane, int64_t *operations)
{
    const struct canon_event *event = lane->strand ? canon_strand_peek(lane->strand) : NULL;
    if (!event || event->kind != CANON_EVENT_ORDER || event->id & TAKES || !(event->id >> 1) ||
        event->id >> 1 >= CANON_LANE_COUNT ||
        lane->next != atomic_load_explicit(&lane->count, memory_order_relaxed))
        return NULL;
    struct canon_reader in = canon_reader_over(event->payload, event->size);
    canon_reader_varint(&in);
    *operations = lane->seen[event->id >> 1] + (int64_t)canon_reader_varint(&in);
    return &lanes[event->id >> 1];
}

void canon_lane_stop_at(int number, int64_t operations)
{
    lanes[number].last = operations + 1;
}

void canon_order_turn(void)
{
    enforcing = true;
    for (int i = 1; i <= most; i++)
        canon_lane_arm(&lanes[i]);
}

void canon_lane_await_seen(struct canon_lane *lane, int other)
{
    pthread_mutex_lock(&lock);
    if (!lanes[other].number)
        prepare(other);
    pthread_mutex_unlock(&lock);
    if (enforcing)
        canon_lane_wait_for(lane, lane->strand, &lanes[other], lane->seen[other]);
    canon_clock_follow(lane, &lanes[other], lane->seen[other]);
}

/* Replay, for tests: makes strands late, by up to a millisecond, at one edge in eight. */
static _Atomic uint64_t delay_seed;
static _Atomic int delays_wanted = -1;

void canon_order_delay(const char *seed)
{
    delay_seed = seed ? strtoull(seed, NULL, 10) : 0;
    delays_wanted = seed != NULL;
}

void canon_lane_delay(const struct canon_lane *lane)
{
    if (delays_wanted < 0)
        canon_order_delay(getenv("CANON_TEST_DELAYS"));
    if (!delays_wanted)
        return;
    uint64_t draw = (atomic_fetch_add(&delay_seed, 1) + (uint64_t)lane->number) * 0x9e3779b97f4a7c15u >> 32;
    if (draw % 8 == 0)
        nanosleep(&(struct timespec){.tv_nsec = (long)(draw / 8 % 1000000)}, NULL);
}

void canon_lane_await(struct canon_lane *lane)
{
    atomic_fetch_add(&lane->still, 1);
    canon_lane_delay(lane);
    while (lane->next == atomic_load_explicit(&lane->count, memory_order_relaxed)) {
        const struct canon_event *event = canon_strand_peek(lane->strand);
        if (event && is_due(event)) {
            atomic_fetch_sub(&lane->still, 1);
            due_steps.perform(lane);
            atomic_fetch_add(&lane->still, 1);
            continue;
        }
        uint64_t id = event && event->kind == CANON_EVENT_ORDER ? event->id : 0;
        struct canon_step *step = canon_step_begin(lane->strand, CANON_EVENT_ORDER, id);
        while (!step)
            pause(); /* the process is ending */
        lane->logged += (int64_t)canon_reader_varint(&step->in);
        uint64_t other = id >> 1;
        bool follows = other > 0 && other < CANON_LANE_COUNT && other != (uint64_t)lane->number;
        if (id == CANON_ORDER_VECTOR)
            canon_vector_take(lane, &step->in);
        else if (follows)
            lane->seen[other] += (int64_t)canon_reader_varint(&step->in);
        canon_step_end(lane->strand, CANON_EVENT_ORDER, id);
        if (id == CANON_ORDER_VECTOR)
            canon_vector_await(lane);
        else if (follows)
            canon_lane_await_seen(lane, (int)other);
        canon_lane_arm(lane);
    }
    atomic_fetch_sub(&lane->still, 1);
}

/* Whether the lane still is where it was when `lane` did its operation, and at work. */
static bool is_about(const struct canon_lane *other, const struct canon_lane *lane)
{
    int64_t operations = canon_lane_operations(other);
    return atomic_load(&other->taken) && !atomic_load(&other->still) &&
           operations == lane->seen[other->number] && operations > other->overdue;
}

void canon_lane_await_arrivals(struct canon_lane *lane)
{
    enum { PATIENCE = 20000 }; /* some 3 seconds */
    for (int i = 1; enforcing && i <= canon_lane_most(); i++) {
        struct canon_lane *other = &lanes[i];
        int tries = 0;
        for (; other != lane && is_about(other, lane) && tries <= PATIENCE; tries++)
            nap(tries);
        if (tries > PATIENCE)
            other->overdue = lane->seen[i];
    }
}
