/* services.c: see services.h. */
#include "jvm/services.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/log.h"
#include "jvm/refs.h"
#include "order/lane.h"
#include "trace/reader.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* In strand "notes": kind SIGNAL (id: its number) or REFERENCE (id: 0) begins a unit of the strand named by
 * the first item; REFERENCE with id IDLE ends its last one. Further items: reference, progress. */
struct unit {
    int64_t
        *after; /* a signal, where the order of threads is kept by edges: lanes and how far they had come */
    size_t after_count; /* pairs */
    int signal;         /* 0: a reference */
    int64_t id;         /* of the reference */
    size_t service;
    uint64_t begun_at;
    uint64_t done_at; /* UINT64_MAX: not before the end of the process */
};

struct service {
    char *strand;
    atomic_size_t done; /* units */
    size_t handed_out;  /* the driver's */
};

enum { PATIENCE_MS = 2000 }; /* how long the program waits for a unit that does not get done */

static atomic_uint_fast64_t progress;
/* Set up before the program starts; then only the counters change. */
static struct unit *units;
static size_t unit_count;
static struct service *services;
static size_t service_count;
static atomic_uint_fast64_t next_await = UINT64_MAX; /* progress at which the program has to wait next */
static atomic_bool resting;                          /* the program's threads have nothing more to do */

/* The driver sleeps until the program comes as far as it waits for, or a service is done. */
static pthread_mutex_t driver_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t driver_wakes = PTHREAD_COND_INITIALIZER;
static atomic_uint_fast64_t driver_waits_for = UINT64_MAX;

static void pause_a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

static void wake_driver(void)
{
    atomic_store(&driver_waits_for, UINT64_MAX);
    pthread_mutex_lock(&driver_lock);
    pthread_cond_signal(&driver_wakes);
    pthread_mutex_unlock(&driver_lock);
}

/* ---- the service itself ----------------------------------------------------------------------------- */

static void log_unit_at(const char *strand, enum canon_event_kind kind, uint64_t what, int64_t id,
                        uint64_t when)
{
    struct canon_buffer items = {0};
    struct canon_step step = {.way = CANON_STEP_PUT, .out = &items};
    char *name = (char *)strand;
    int64_t now = (int64_t)when;
    canon_step_text(&step, &name);
    canon_step_int(&step, &id);
    canon_step_int(&step, &now);
    canon_role_log(kind, what, &items);
    canon_buffer_free(&items);
}

static void log_unit(const char *strand, enum canon_event_kind kind, uint64_t what, int64_t id)
{
    log_unit_at(strand, kind, what, id, canon_progress());
}

static void unit_done(const char *strand, uint64_t when)
{
    log_unit_at(strand, CANON_EVENT_REFERENCE, CANON_REFERENCE_IDLE, 0, when);
    for (size_t i = 0; i < service_count; i++)
        if (strcmp(services[i].strand, strand) == 0)
            atomic_fetch_add(&services[i].done, 1);
    if (unit_count)
        wake_driver();
}

void canon_service_begins(struct canon_thread *thread, int64_t id)
{
    if (id == 0 || thread->in_unit) /* remove() returns what remove(0) returned */
        return;
    thread->in_unit = true;
    log_unit(canon_strand_label(thread->strand), CANON_EVENT_REFERENCE, 0, id);
}

void canon_service_idle(struct canon_thread *thread)
{
    if (!thread->in_unit)
        return;
    thread->in_unit = false;
    unit_done(canon_strand_label(thread->strand),
              thread->handler_stepped ? thread->handler_stepped : canon_progress());
}

/* ---- children --- their end sets itself off: see wait_child in special.c
 * ------------------------------------ */

#define CHILD CANON_STRAND_SERVICE "child "
static __thread char child[64]; /* the reaper's: whose end it works on */

void canon_child_ends(int64_t pid)
{
    snprintf(child, sizeof child, CHILD "%lld", (long long)pid);
    log_unit(child, CANON_EVENT_REFERENCE, 0, 0);
}

void canon_child_ended(void)
{
    if (child[0])
        unit_done(child, canon_progress());
    child[0] = '\0';
}

/* ---- signals ---------------------------------------------------------------------------------------- */

static __thread int dispatched; /* by the JVM's dispatcher: signal whose handler is about to be started */
static atomic_uint handlers;
static _Atomic(const char *) expected[NSIG]; /* replay: strands of handlers that the driver has set off */

void canon_signal_dispatched(int signal)
{
    dispatched = signal;
}

char *canon_signal_handler(void)
{
    char *name = NULL;
    const char *kind = canon_agent.edges ? CANON_STRAND_THREAD : CANON_STRAND_SERVICE;
    int signal = dispatched;
    dispatched = 0;
    if (!signal)
        return NULL;
    if (canon_role_now() ==
        CANON_ROLE_REPLAYER) { /* one that the driver did not send is for the replay itself */
        const char *strand = signal < NSIG ? atomic_exchange(&expected[signal], NULL) : NULL;
        return strand ? strdup(strand) : NULL;
    }
    if (asprintf(&name, "%ssignal-%d.%u", kind, signal, atomic_fetch_add(&handlers, 1)) < 0)
        name = NULL;
    canon_assert(name);
    return name;
}

/* How far all other lanes have come, as far as the lane knows: pairs, in either direction. */
static void lanes_step(struct canon_step *step, const struct canon_lane *lane, struct unit *unit)
{
    int64_t count = 0;
    for (int i = 1; lane && i <= canon_lane_most(); i++)
        count += i != lane->number && lane->seen[i] > 0;
    canon_step_int(step, &count);
    if (canon_step_gets(step)) {
        unit->after_count = count >= 0 && count < CANON_LANE_COUNT ? (size_t)count : 0;
        unit->after = calloc(unit->after_count + 1, 2 * sizeof *unit->after);
        canon_assert(unit->after);
        for (size_t i = 0; i < 2 * unit->after_count; i++)
            canon_step_int(step, &unit->after[i]);
    }
    for (int64_t i = 1; !canon_step_gets(step) && i <= canon_lane_most(); i++)
        if (i != lane->number && lane->seen[i] > 0) {
            canon_step_int(step, &i);
            canon_step_int(step, &lane->seen[i]);
        }
}

/* A handler comes after all that anybody had done when it began. At replay it is not even started before. */
static void begin_in_order(struct canon_lane *lane, const char *strand, int signal)
{
    if (!lane)
        return;
    canon_lane_begin(lane);
    if (canon_role_now() == CANON_ROLE_RECORDER) {
        canon_lane_follow(lane, 0, true);
        struct canon_buffer items = {0};
        struct canon_step step = {.way = CANON_STEP_PUT, .out = &items};
        char *name = (char *)strand;
        int64_t none = 0;
        canon_step_text(&step, &name);
        canon_step_int(&step, &none);
        canon_step_int(&step, &none);
        lanes_step(&step, lane, NULL);
        canon_role_log(CANON_EVENT_SIGNAL, (uint64_t)signal, &items);
        canon_buffer_free(&items);
    }
    canon_lane_done(lane);
}

void canon_signal_begins(struct canon_thread *thread)
{
    int signal = 0;
    const char *strand = canon_strand_label(thread->strand);
    if (!thread->service) /* but maybe one that a handler has started */
        return;
    if (sscanf(strand, CANON_STRAND_THREAD "signal-%d.", &signal) == 1)
        begin_in_order(thread->lane, strand, signal);
    if (sscanf(strand, CANON_STRAND_SERVICE "signal-%d.", &signal) != 1)
        return;
    thread->in_unit = true;
    thread->handler_stepped = canon_progress();
    log_unit(canon_strand_label(thread->strand), CANON_EVENT_SIGNAL, (uint64_t)signal, 0);
}

/*
 * A handler is done with its last step, not when its thread gets round to ending: what it did, a flag that it
 * set, the program may have seen long before.
 */
void canon_signal_stepped(struct canon_thread *thread)
{
    if (thread->handler_stepped)
        thread->handler_stepped = canon_progress();
}

/* ---- replay: what was recorded ---------------------------------------------------------------------- */

static size_t service_named(const char *strand)
{
    size_t i = 0;
    while (i < service_count && strcmp(services[i].strand, strand) != 0)
        i++;
    if (i == service_count) {
        services = realloc(services, (service_count + 1) * sizeof *services);
        canon_assert(services);
        services[service_count++] = (struct service){.strand = strdup(strand)};
    }
    return i;
}

/* A handler that was still waiting for a lock when the process ended: all it could do is hold others up. */
static bool came_to_nothing(const char *strand_name)
{
    const struct canon_trace_strand *strand = canon_trace_find(canon_role_trace(), strand_name);
    struct canon_cursor cursor;
    struct canon_event event;
    if (!strand)
        return false;
    canon_cursor_start(&cursor, strand);
    bool nothing =
        !canon_cursor_next(&cursor, &event) && event.kind == CANON_EVENT_END && event.id == CANON_END_RUNNING;
    canon_cursor_stop(&cursor);
    return nothing;
}

static void add_unit(const struct canon_event *event, size_t service, int64_t id, uint64_t at)
{
    if (event->kind == CANON_EVENT_REFERENCE && event->id == CANON_REFERENCE_IDLE) {
        for (size_t i = unit_count; i-- > 0;)
            if (units[i].service == service) {
                units[i].done_at = at;
                return;
            }
        return;
    }
    if (event->kind == CANON_EVENT_SIGNAL && !canon_agent.edges && came_to_nothing(services[service].strand))
        return;
    units = realloc(units, (unit_count + 1) * sizeof *units);
    canon_assert(units);
    int signal = event->kind == CANON_EVENT_SIGNAL && event->id < NSIG ? (int)event->id : 0;
    units[unit_count++] =
        (struct unit){.signal = signal, .id = id, .service = service, .begun_at = at, .done_at = UINT64_MAX};
}

static void load_units(const struct canon_trace_strand *strand)
{
    struct canon_cursor cursor;
    struct canon_event event;
    canon_cursor_start(&cursor, strand);
    while (!canon_cursor_next(&cursor, &event)) {
        if (event.kind != CANON_EVENT_REFERENCE && event.kind != CANON_EVENT_SIGNAL)
            continue;
        struct canon_step step = {.way = CANON_STEP_GET, .in = canon_reader_over(event.payload, event.size)};
        char *name = NULL;
        int64_t id = 0, at = 0;
        bool unit = event.kind != CANON_EVENT_REFERENCE || event.id != CANON_REFERENCE_QUEUED;
        if (unit)
            canon_step_text(&step, &name);
        canon_step_int(&step, &id);
        if (unit)
            canon_step_int(&step, &at);
        if (id)
            canon_refs_expect(id);
        size_t before = unit_count;
        if (name && !step.in.failed)
            add_unit(&event, service_named(name), id, (uint64_t)at);
        if (event.kind == CANON_EVENT_SIGNAL && canon_agent.edges && unit_count > before)
            lanes_step(&step, NULL, &units[before]);
        free(name);
    }
    canon_cursor_stop(&cursor);
}

/* ---- replay: the driver ----------------------------------------------------------------------------- */

/*
 * The progress at which a unit may begin. Work on a reference waits until the program is in the step in
 * which, or after which, it was done: at the time of its beginning the program may still be before the point
 * where it lost sight of the referent.
 */
static uint64_t start_of(const struct unit *unit)
{
    if (unit->signal)
        return unit->begun_at;
    return (unit->done_at == UINT64_MAX ? unit->begun_at : unit->done_at) | 1;
}

static bool all_there(const struct unit *unit)
{
    for (size_t i = 0; i < 2 * unit->after_count; i += 2) {
        int64_t lane = unit->after[i];
        if (lane > 0 && lane < CANON_LANE_COUNT &&
            canon_lane_operations(canon_lane_at((int)lane)) < unit->after[i + 1])
            return false;
    }
    return true;
}

/*
 * The next unit that may begin now, or NULL; then `*when` is the progress at which one may (UINT64_MAX:
 * a service has to be done first).
 */
static struct unit *due(uint64_t *when)
{
    *when = UINT64_MAX;
    for (size_t s = 0; s < service_count; s++) {
        if (atomic_load(&services[s].done) < services[s].handed_out ||
            strncmp(services[s].strand, CHILD, strlen(CHILD)) == 0)
            continue;
        size_t number = 0, i = 0;
        while (i < unit_count && (units[i].service != s || number++ != services[s].handed_out))
            i++;
        if (i == unit_count)
            continue;
        uint64_t start = start_of(&units[i]);
        bool is_due =
            units[i].after ? all_there(&units[i]) : atomic_load(&progress) >= start || atomic_load(&resting);
        if (is_due)
            return &units[i];
        if (start < *when)
            *when = start;
    }
    return NULL;
}

/* Waits until something may have changed; not for ever, so that no wake-up can be missed. */
static void wait_for_work(uint64_t when)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 20000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&driver_lock);
    atomic_store(&driver_waits_for, when);
    if (atomic_load(&progress) < when)
        pthread_cond_timedwait(&driver_wakes, &driver_lock, &until);
    pthread_mutex_unlock(&driver_lock);
}

/* Whether the unit was set off; a reference may not have been made yet. */
static bool set_off(JNIEnv *env, const struct unit *unit)
{
    if (unit->signal) {
        if (atomic_load(&expected[unit->signal]))
            return false; /* the one before has not been dispatched yet */
        atomic_store(&expected[unit->signal], services[unit->service].strand);
        return kill(getpid(), unit->signal) == 0;
    }
    jobject reference = canon_refs_take(env, unit->id);
    if (!reference)
        return false;
    canon_refs_enqueue(env, reference);
    (*env)->DeleteLocalRef(env, reference);
    return true;
}

static void *drive(void *vm)
{
    JNIEnv *env;
    JavaVMAttachArgs args = {JNI_VERSION_1_8, (char *)"canon", NULL};
    if ((*(JavaVM *)vm)->AttachCurrentThreadAsDaemon(vm, (void **)&env, &args) != JNI_OK)
        return NULL;
    for (size_t left = unit_count; left && canon_role_now() == CANON_ROLE_REPLAYER;) {
        uint64_t when;
        const struct unit *unit = due(&when);
        if (!unit) {
            wait_for_work(when);
        } else if (set_off(env, unit)) {
            services[unit->service].handed_out++;
            left--;
        } else {
            pause_a_little();
        }
    }
    (*(JavaVM *)vm)->DetachCurrentThread(vm);
    return NULL;
}

int canon_services_start(void)
{
    if (canon_role_now() != CANON_ROLE_REPLAYER)
        return 0;
    const struct canon_trace_strand *strand = canon_trace_find(canon_role_trace(), "notes");
    if (strand)
        load_units(strand);
    uint64_t first = UINT64_MAX;
    for (size_t i = 0; i < unit_count; i++)
        first = units[i].done_at < first ? units[i].done_at : first;
    next_await = first;
    pthread_t thread;
    if (unit_count && pthread_create(&thread, NULL, drive, canon_agent.vm))
        return CANON_E_NOMEM;
    return 0;
}

/* ---- replay: the program
 * ------------------------------------------------------------------------------------ */

/* Units of a service that must be done by now, and in `*next` when more must. */
static size_t required(size_t service, uint64_t now, uint64_t *next)
{
    size_t count = 0, number = 0;
    for (size_t i = 0; i < unit_count; i++) {
        if (units[i].service != service)
            continue;
        number++;
        if (units[i].done_at <= now)
            count = number;
        else if (units[i].done_at < *next)
            *next = units[i].done_at;
    }
    return count;
}

/*
 * Waits for the units that were done by now in the recording. One that does not get done may need
 * something that this thread holds: after a while the program goes on, and if that was wrong the replay
 * diverges.
 */
static void await(uint64_t now)
{
    if (now < atomic_load_explicit(&next_await, memory_order_relaxed))
        return;
    uint64_t next = UINT64_MAX;
    for (size_t s = 0; s < service_count; s++) {
        size_t count = required(s, now, &next);
        for (int i = 0; atomic_load(&services[s].done) < count && i < PATIENCE_MS * 5; i++)
            pause_a_little();
    }
    atomic_store(&next_await, next);
}

/* The driver may be waiting for this. */
static void advance(void)
{
    uint64_t now = atomic_fetch_add_explicit(&progress, 1, memory_order_relaxed) + 1;
    if (now >= atomic_load_explicit(&driver_waits_for, memory_order_relaxed))
        wake_driver();
}

void canon_progress_begin(void)
{
    advance();
}

void canon_progress_end(void)
{
    if (canon_role_now() == CANON_ROLE_REPLAYER)
        await(atomic_load_explicit(&progress, memory_order_relaxed));
    advance();
}

void canon_services_resting(void)
{
    atomic_store(&resting, true);
    wake_driver();
}

uint64_t canon_progress(void)
{
    return atomic_load_explicit(&progress, memory_order_relaxed);
}

void canon_progress_await(uint64_t position)
{
    uint64_t seen = canon_progress();
    for (int still = 0; seen < position && !atomic_load(&resting) && still < PATIENCE_MS * 5;) {
        pause_a_little();
        uint64_t now = canon_progress();
        still = now == seen ? still + 1 : 0;
        seen = now;
    }
}
