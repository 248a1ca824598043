/*
 * replayer.c: steps come out of a trace. The counterpart, function by function, is recorder.c.
 */
#include "role/memo.h"
#include "role/role_internal.h"

#include "base/assert.h"
#include "base/error.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct canon_trace *trace;
static uint64_t recorded_names; /* ids below this are in the trace */
static uint64_t next_unknown;
static bool turned;
static struct canon_watch unwatched;
static struct canon_watch *watch = &unwatched; /* counts events, also for canon to see */
static bool is_child;
/* Protects next_unknown; leaf lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static _Noreturn void diverged(const struct canon_strand *strand, enum canon_divergence_kind kind,
                               const char *expected, const char *actual)
{
    struct canon_divergence divergence = {
        .kind = kind,
        .strand = strand,
        .strand_name = strand->name,
        .number = strand->position,
        .expected = expected,
        .actual = actual,
    };
    canon_role_diverged(&divergence);
}

void canon_step_mismatch(struct canon_strand *strand, const char *expected, const char *actual)
{
    diverged(strand, CANON_DIVERGED_INPUT, expected, actual);
}

void canon_strand_stuck(struct canon_strand *strand, const char *expected, const char *actual)
{
    diverged(strand, CANON_DIVERGED_STUCK, expected, actual);
}

void canon_role_unanswered(struct canon_strand *strand, const char *actual)
{
    if (canon_trace_is_torn(trace))
        diverged(strand, CANON_DIVERGED_NONE, NULL, NULL);
    diverged(strand, CANON_DIVERGED_FILE, NULL, actual);
}

/* ---- start --------------------------------------------------------------------------------------- */

static int load_names(void)
{
    const struct canon_trace_strand *strand = canon_trace_find(trace, CANON_STRAND_NAMES);
    if (!strand)
        return 0;
    struct canon_cursor cursor;
    struct canon_event event;
    canon_cursor_start(&cursor, strand);
    int status;
    while (!(status = canon_cursor_next(&cursor, &event))) {
        if (event.kind != CANON_EVENT_NAME)
            continue;
        if (event.id != recorded_names || memchr(event.payload, '\0', event.size)) {
            status = CANON_E_FORMAT;
            break;
        }
        char *name = strndup((const char *)event.payload, event.size);
        canon_role_remember_name(recorded_names++, name);
        free(name);
    }
    canon_cursor_stop(&cursor);
    return status == CANON_E_END ? 0 : status;
}

/* Events of a recorded strand without its END; a torn one has none. */
static uint64_t recorded_length(const struct canon_trace_strand *strand)
{
    uint64_t events = canon_strand_events(strand);
    return events && !canon_strand_is_torn(strand) ? events - 1 : events;
}

/* Those that a replay takes one by one: of threads, services, loads and initialisers. */
static void count_events(void)
{
    uint64_t total = 0;
    for (size_t i = 0; i < canon_trace_strand_count(trace); i++) {
        const struct canon_trace_strand *strand = canon_trace_strand_at(trace, i);
        if (strchr(canon_strand_name(strand), ' ')) /* the others have names of one word */
            total += recorded_length(strand);
    }
    atomic_fetch_add(&watch->total, total); /* there may be several processes */
}

static int replay_start(const struct canon_role_config *config, char *problem, size_t size)
{
    int status = canon_trace_open(config->part, &trace, problem, size);
    if (status)
        return status;
    if (config->watch)
        watch = config->watch;
    turned = config->turned;
    is_child = config->is_child;
    count_events();
    status = load_names();
    next_unknown = CANON_UNKNOWN_IDS;
    if (!status)
        status = canon_memo_load(trace);
    if (status)
        snprintf(problem, size, "%s: %s", config->part, canon_error_text(status));
    return status;
}

static uint64_t replay_name(const char *name)
{
    for (uint64_t id = 0; id < recorded_names; id++)
        if (strcmp(canon_role_name_of(id), name) == 0)
            return id;
    pthread_mutex_lock(&lock);
    uint64_t id = next_unknown++;
    pthread_mutex_unlock(&lock);
    canon_role_remember_name(id, name);
    return id;
}

bool canon_role_has_name(const char *name)
{
    for (uint64_t id = 0; id < recorded_names; id++)
        if (strcmp(canon_role_name_of(id), name) == 0)
            return true;
    return false;
}

uint64_t canon_role_events_done(void)
{
    return atomic_load_explicit(&watch->done, memory_order_relaxed);
}

uint64_t canon_role_events_recorded(void)
{
    return watch->total;
}

/* ---- strands ------------------------------------------------------------------------------------- */

/* How far each recorded strand of a thread was replayed. */
struct followed {
    const struct canon_trace_strand *recorded;
    struct canon_strand *strand; /* NULL: it has ended, and was compared */
    struct followed *next;
};
/* Protects the list below; leaf lock. */
static pthread_mutex_t followed_lock = PTHREAD_MUTEX_INITIALIZER;
static struct followed *followed_list;

static bool is_thread(const char *name)
{
    return strncmp(name, CANON_STRAND_THREAD, strlen(CANON_STRAND_THREAD)) == 0;
}

static void follow(struct canon_strand *strand, const struct canon_trace_strand *recorded)
{
    struct followed *followed = calloc(1, sizeof *followed);
    canon_assert(followed);
    pthread_mutex_lock(&followed_lock);
    *followed = (struct followed){recorded, strand, followed_list};
    followed_list = followed;
    pthread_mutex_unlock(&followed_lock);
}

/* NULL if the strand was never opened. */
static struct followed *followed_of(const struct canon_trace_strand *recorded)
{
    pthread_mutex_lock(&followed_lock);
    struct followed *followed = followed_list;
    while (followed && followed->recorded != recorded)
        followed = followed->next;
    pthread_mutex_unlock(&followed_lock);
    return followed;
}

static void replay_open(struct canon_strand *strand)
{
    const struct canon_trace_strand *recorded = canon_trace_find(trace, strand->name);
    strand->has_recording = recorded;
    if (!recorded)
        return;
    canon_cursor_start(&strand->cursor, recorded);
    if (is_thread(strand->name))
        follow(strand, recorded);
}

/*
 * The recording stops here, and it was not this strand that ended the process: wait for the others. In a
 * recording that was cut off nobody will end the process; then it is over when nothing moves any more.
 */
static _Noreturn void rest(struct canon_strand *strand)
{
    uint64_t seen = canon_role_events_done();
    canon_role_resting();
    for (int still = 0;;) {
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        uint64_t done = canon_role_events_done();
        still = done == seen ? still + 1 : 0;
        seen = done;
        if (still >= 10 && canon_trace_is_torn(trace))
            diverged(strand, CANON_DIVERGED_NONE, NULL, NULL);
    }
}

/* As rest, but comes back when nothing moves any more and the recording was not cut off. */
static void rest_unless_alone(struct canon_strand *strand)
{
    if (canon_trace_is_torn(trace))
        rest(strand);
    uint64_t seen = canon_role_events_done();
    for (int still = 0; still < 250;) {
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        uint64_t done = canon_role_events_done();
        still = done == seen ? still + 1 : 0;
        seen = done;
    }
}

/* Makes the strand's next event current. */
static void fetch(struct canon_strand *strand, const char *actual)
{
    if (!strand->has_recording) {
        if (strcmp(strand->name, CANON_STRAND_MAIN) == 0 && !canon_trace_is_torn(trace))
            diverged(strand, CANON_DIVERGED_TRACE, "the strand of the first thread", actual);
        /* A thread may have been started and not have come to anything before the process ended. */
        if (!strand->is_short || canon_trace_is_torn(trace))
            rest_unless_alone(strand);
        diverged(strand, CANON_DIVERGED_STRAND, NULL, actual);
    }
    int status = strand->has_event ? 0 : canon_cursor_next(&strand->cursor, &strand->event);
    if (status == CANON_E_END)
        rest(strand);
    if (status)
        diverged(strand, CANON_DIVERGED_TRACE, canon_error_text(status), actual);
    strand->has_event = true;
    if (strand->event.kind != CANON_EVENT_END)
        return;
    if (strand->event.id) /* the recorded strand had ended by itself */
        diverged(strand, CANON_DIVERGED_EXTRA, NULL, actual);
    rest(strand);
}

const struct canon_event *canon_strand_peek(struct canon_strand *strand)
{
    if (!strand->has_event && strand->has_recording && !canon_cursor_next(&strand->cursor, &strand->event))
        strand->has_event = true;
    return strand->has_event ? &strand->event : NULL;
}

void canon_strand_rest_at_end(struct canon_strand *strand)
{
    const struct canon_event *event = canon_strand_peek(strand);
    if (!event || (event->kind == CANON_EVENT_END && event->id == CANON_END_RUNNING))
        rest(strand);
}

bool canon_strand_is_recorded(const struct canon_strand *strand)
{
    return strand->has_recording;
}

const struct canon_trace *canon_role_trace(void)
{
    return trace;
}

char canon_debug_strand[256];
uint64_t canon_debug_event = UINT64_MAX;

__attribute__((noinline)) void canon_debug_reached(void)
{
    __asm__ volatile("");
}

static void replay_begin(struct canon_strand *strand, enum canon_event_kind kind, uint64_t id)
{
    if (strand->position == canon_debug_event && strcmp(strand->name, canon_debug_strand) == 0)
        canon_debug_reached();
    fetch(strand, canon_role_step_name(kind, id));
    if (strand->event.kind != kind || strand->event.id != id)
        diverged(strand, CANON_DIVERGED_KIND, canon_role_step_name(strand->event.kind, strand->event.id),
                 canon_role_step_name(kind, id));
    strand->step = (struct canon_step){
        .way = CANON_STEP_GET,
        .in = canon_reader_over(strand->event.payload, strand->event.size),
    };
}

static void replay_end(struct canon_strand *strand, enum canon_event_kind kind, uint64_t id)
{
    if (strand->step.in.failed || canon_reader_left(&strand->step.in))
        diverged(strand, CANON_DIVERGED_ITEMS, canon_role_step_name(kind, id),
                 canon_role_step_name(kind, id));
    strand->has_event = false;
    atomic_fetch_add_explicit(&watch->done, 1, memory_order_relaxed);
}

static _Noreturn void diverged_operations(struct canon_strand *strand, uint64_t recorded)
{
    char expected[80], actual[80];
    snprintf(expected, sizeof expected, "end after %llu operations that order threads",
             (unsigned long long)recorded);
    snprintf(actual, sizeof actual, "end after %llu", (unsigned long long)strand_operations(strand));
    diverged(strand, CANON_DIVERGED_ITEMS, expected, actual);
}

/* The strand is over: the recorded one must be too, with the same count and the same checksum. */
static void replay_close(struct canon_strand *strand, enum canon_end end)
{
    (void)end;
    if (!strand->has_recording) {
        if (strand->position)
            diverged(strand, CANON_DIVERGED_STRAND, NULL, NULL);
        return;
    }
    const struct canon_event *event = canon_strand_peek(strand);
    if (!event) {
        if (canon_trace_is_torn(trace))
            return;
        diverged(strand, CANON_DIVERGED_TRACE, "the strand has no end", NULL);
    }
    if (event->kind != CANON_EVENT_END)
        diverged(strand, CANON_DIVERGED_MISSING, canon_role_step_name(event->kind, event->id), NULL);
    struct canon_reader in = canon_reader_over(event->payload, event->size);
    uint64_t events = canon_reader_varint(&in), checks = canon_reader_varint(&in);
    uint64_t operations = canon_reader_left(&in) ? canon_reader_varint(&in) : 0;
    if (in.failed || events != strand->position || checks != strand->checks)
        diverged(strand, CANON_DIVERGED_ITEMS, "end: other count or checksum", NULL);
    if (event->id != CANON_END_RUNNING && !strand->counts_loosely && operations != strand_operations(strand))
        diverged_operations(strand, operations);
    struct followed *followed = is_thread(strand->name) ? followed_of(strand->cursor.strand) : NULL;
    if (followed)
        followed->strand = NULL;
}

static void replay_log(enum canon_event_kind kind, uint64_t id, const void *payload, size_t size)
{
    (void)kind, (void)id, (void)payload, (void)size;
}

/* Steps that only tell the time: how often a thread that waits looks at it is a matter of timing itself. */
static bool is_clock(const struct canon_event *event)
{
    const char *name = canon_role_step_name(event->kind, event->id);
    return event->kind == CANON_EVENT_NATIVE && (strcmp(name, "java/lang/System.nanoTime()J") == 0 ||
                                                 strcmp(name, "java/lang/System.currentTimeMillis()J") == 0);
}

/* Whether anything but looks at the clock is left of a recorded strand after `position` events. */
static bool something_left(const struct canon_trace_strand *recorded, uint64_t position)
{
    struct canon_cursor cursor;
    struct canon_event event;
    bool left = false;
    canon_cursor_start(&cursor, recorded);
    while (!left && !canon_cursor_next(&cursor, &event))
        left = event.number >= position && event.kind != CANON_EVENT_END && !is_clock(&event);
    canon_cursor_stop(&cursor);
    return left;
}

/*
 * A thread that was running when the recorded process ended gets a while to come as far as it did, as long
 * as something moves.
 */
static void await(const struct canon_trace_strand *recorded)
{
    const char *name = canon_strand_name(recorded);
    uint64_t length = recorded_length(recorded), seen = canon_role_events_done();
    struct followed *followed = NULL;
    struct canon_strand *strand = NULL;
    for (int still = 0; still < 100;) {
        followed = followed_of(recorded);
        strand = followed ? followed->strand : NULL;
        if ((!followed && turned) || (followed && !strand) || (strand && strand->position >= length) ||
            (!followed && !length) || !something_left(recorded, strand ? strand->position : 0))
            return;
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        uint64_t done = canon_role_events_done();
        still = done == seen ? still + 1 : 0;
        seen = done;
    }
    struct canon_divergence divergence = {
        .kind = CANON_DIVERGED_MISSING,
        .strand = strand,
        .strand_name = name,
        .number = strand ? strand->position : 0,
        .expected = "more events of this strand",
        .actual = "the end of the process",
    };
    canon_role_diverged(&divergence);
}

static void replay_finish(struct canon_strand *all, struct canon_strand *self)
{
    (void)all;
    if (canon_trace_is_torn(trace)) {
        if (!is_child)
            watch->finished = 1;
        return;
    }
    if (self)
        replay_close(self, CANON_END_PROCESS);
    for (size_t i = 0; i < canon_trace_strand_count(trace); i++) {
        const struct canon_trace_strand *recorded = canon_trace_strand_at(trace, i);
        if (is_thread(canon_strand_name(recorded)))
            await(recorded);
    }
    canon_role_ending();
    if (!is_child)
        watch->finished = 1;
}

/* The parent's trace stays mapped. */
static void replay_forked(struct canon_strand *all)
{
    (void)all;
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_init(&followed_lock, NULL);
    followed_list = NULL;
    recorded_names = 0;
    canon_role_forget_names();
}

const struct canon_role_ops canon_replayer_ops = {
    .start = replay_start,
    .name = replay_name,
    .open = replay_open,
    .close = replay_close,
    .begin = replay_begin,
    .end = replay_end,
    .log = replay_log,
    .finish = replay_finish,
    .forked = replay_forked,
};
