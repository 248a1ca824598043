/*
 * role.c: what all roles share: the current role, the list of strands, names for reports.
 */
#include "role/memo.h"
#include "role/role_internal.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/log.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

static _Atomic enum canon_role_kind now;
static const struct canon_role_ops *ops;
static atomic_bool finishing;
canon_diverged_fn canon_role_diverged;
void (*canon_role_resting)(void);
void (*canon_role_ending)(void);

static void do_nothing(void) {}

/* Protects the list of strands; the recorder's lock may be taken under it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct canon_strand *all_strands;
/* Protects the table of names; leaf lock. */
static pthread_mutex_t names_lock = PTHREAD_MUTEX_INITIALIZER;
static char **names;
static uint64_t name_count;
/* Protects the hashes of notes that were taken; leaf lock. */
static pthread_mutex_t noted_lock = PTHREAD_MUTEX_INITIALIZER;
static size_t noted_count;

int canon_role_start(const struct canon_role_config *config, char *problem, size_t size)
{
    canon_role_diverged = config->diverged;
    canon_role_resting = config->resting ? config->resting : do_nothing;
    canon_role_ending = config->ending ? config->ending : do_nothing;
    ops = config->kind == CANON_ROLE_RECORDER   ? &canon_recorder_ops
          : config->kind == CANON_ROLE_REPLAYER ? &canon_replayer_ops
                                                : NULL;
    int status = ops ? ops->start(config, problem, size) : 0;
    if (!status)
        now = config->kind;
    return status;
}

int canon_role_turn(const struct canon_role_config *config, char *problem, size_t size)
{
    int status = canon_role_start(config, problem, size);
    for (struct canon_strand *strand = all_strands; strand && !status; strand = strand->next) {
        ops->open(strand);
        for (uint64_t i = 0; strand->has_recording && i < strand->position && !status; i++)
            status = canon_cursor_next(&strand->cursor, &strand->event);
        if (status)
            snprintf(problem, size, "%s: event %llu cannot be read", strand->name,
                     (unsigned long long)strand->position);
    }
    return status;
}

void canon_role_forked(void)
{
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_init(&names_lock, NULL);
    pthread_mutex_init(&noted_lock, NULL);
    if (ops)
        ops->forked(all_strands);
    canon_memo_forked();
    all_strands = NULL;
    noted_count = 0;
    atomic_store(&finishing, false);
    now = CANON_ROLE_PASSTHROUGH;
}

enum canon_role_kind canon_role_now(void)
{
    return atomic_load_explicit(&now, memory_order_relaxed);
}

void canon_role_abandon(int error)
{
    enum canon_role_kind recorder = CANON_ROLE_RECORDER;
    if (atomic_compare_exchange_strong(&now, &recorder, CANON_ROLE_PASSTHROUGH))
        canon_say("recording stopped: %s; the program goes on, the trace is incomplete",
                  canon_error_text(error));
}

/* ---- names --------------------------------------------------------------------------------------- */

/* Names of natives that a trace does not know are kept behind the others. */
static char *unknown_names[4096];

void canon_role_remember_name(uint64_t id, const char *name)
{
    if (id >= CANON_UNKNOWN_IDS) {
        if (id - CANON_UNKNOWN_IDS < sizeof unknown_names / sizeof *unknown_names)
            unknown_names[id - CANON_UNKNOWN_IDS] = strdup(name);
        return;
    }
    pthread_mutex_lock(&names_lock);
    if (id >= name_count) {
        uint64_t count = id + 256;
        names = realloc(names, count * sizeof *names);
        canon_assert(names);
        memset(names + name_count, 0, (count - name_count) * sizeof *names);
        name_count = count;
    }
    if (!names[id])
        names[id] = strdup(name);
    pthread_mutex_unlock(&names_lock);
}

void canon_role_forget_names(void)
{
    for (uint64_t i = 0; i < name_count; i++) {
        free(names[i]);
        names[i] = NULL;
    }
}

const char *canon_role_name_of(uint64_t id)
{
    if (id >= CANON_UNKNOWN_IDS && id - CANON_UNKNOWN_IDS < sizeof unknown_names / sizeof *unknown_names)
        return unknown_names[id - CANON_UNKNOWN_IDS];
    pthread_mutex_lock(&names_lock);
    const char *name = id < name_count ? names[id] : NULL;
    pthread_mutex_unlock(&names_lock);
    return name ? name : "?";
}

const char *canon_role_step_name(enum canon_event_kind kind, uint64_t id)
{
    static const char *const KINDS[] = {
#define X(name, number, text) [number] = (text),
        CANON_EVENT_KINDS(X)
#undef X
    };
    static const char *const REFERENCES[] = {"reference", "reference cleared", "reference polled",
                                             "reference removed"};
    if (kind == CANON_EVENT_REFERENCE && id < sizeof REFERENCES / sizeof *REFERENCES)
        return REFERENCES[id];
    return kind == CANON_EVENT_NATIVE ? canon_role_name_of(id) : KINDS[kind];
}

uint64_t canon_role_name(const char *name)
{
    return ops ? ops->name(name) : 0;
}

uint64_t canon_role_name_kept(const char *name, _Atomic uint64_t *kept)
{
    uint64_t id = *kept; /* and one more */
    if (!id)
        *kept = id = canon_role_name(name) + 1;
    return id - 1;
}

/* Whether a note is new. Notes are few: a list of their hashes will do. */
static bool is_new(enum canon_note note, const char *text)
{
    static uint64_t *noted;
    uint64_t hash = XXH3_64bits_withSeed(text, strlen(text), note);
    pthread_mutex_lock(&noted_lock);
    size_t at = 0;
    while (at < noted_count && noted[at] != hash)
        at++;
    bool fresh = at == noted_count;
    if (fresh) {
        noted = realloc(noted, (noted_count + 1) * sizeof *noted);
        canon_assert(noted);
        noted[noted_count++] = hash;
    }
    pthread_mutex_unlock(&noted_lock);
    return fresh;
}

void canon_role_note(enum canon_note note, const char *text)
{
    if (ops && canon_role_now() != CANON_ROLE_PASSTHROUGH && is_new(note, text))
        ops->log(CANON_EVENT_NOTE, note, text, strlen(text));
}

void canon_role_log(enum canon_event_kind kind, uint64_t id, const struct canon_buffer *items)
{
    if (ops && canon_role_now() != CANON_ROLE_PASSTHROUGH)
        ops->log(kind, id, items->data, items->used);
}

/* ---- strands ------------------------------------------------------------------------------------- */

static struct canon_strand *open_strand(const char *name, bool is_short)
{
    struct canon_strand *strand = calloc(1, sizeof *strand);
    canon_assert(strand);
    strand->name = strdup(name);
    strand->is_short = is_short;
    canon_assert(strand->name);
    bool opened = ops && canon_role_now() != CANON_ROLE_PASSTHROUGH;
    if (opened)
        ops->open(strand); /* takes a while */
    pthread_mutex_lock(&lock);
    /* Who ends the process closes all strands that are in the list: none may slip through. */
    if (opened && ops->drop && canon_role_now() == CANON_ROLE_PASSTHROUGH)
        ops->drop(strand);
    strand->next = all_strands;
    all_strands = strand;
    pthread_mutex_unlock(&lock);
    return strand;
}

struct canon_strand *canon_strand_open(const char *name)
{
    return open_strand(name, false);
}

struct canon_strand *canon_strand_open_short(const char *name)
{
    return open_strand(name, true);
}

static void forget(struct canon_strand *strand)
{
    for (struct canon_strand **at = &all_strands; *at; at = &(*at)->next)
        if (*at == strand) {
            *at = strand->next;
            break;
        }
}

static void free_strand(struct canon_strand *strand)
{
    canon_buffer_free(&strand->gathered);
    canon_buffer_free(&strand->items);
    canon_cursor_stop(&strand->cursor);
    free(strand->name);
    free(strand);
}

void canon_strand_close(struct canon_strand *strand)
{
    pthread_mutex_lock(&lock); /* as above; what a replay compares, it compares without */
    forget(strand);
    bool replaying = canon_role_now() == CANON_ROLE_REPLAYER;
    /* The process is ending: some of its last steps may not be in the trace any more. */
    enum canon_end end = canon_role_is_over() ? CANON_END_RUNNING : CANON_END_FINISHED;
    if (ops && canon_role_now() == CANON_ROLE_RECORDER)
        ops->close(strand, end);
    pthread_mutex_unlock(&lock);
    if (ops && replaying)
        ops->close(strand, CANON_END_FINISHED);
    free_strand(strand);
}

void canon_strand_counts(struct canon_strand *strand, const _Atomic int64_t *count)
{
    strand->count = count;
    strand->first_count = atomic_load(count);
    if (strand->position <= 1) /* it has taken its lane, and that is all */
        strand->first_position = strand->position;
}

void canon_strand_counts_loosely(struct canon_strand *strand, bool loosely)
{
    strand->counts_loosely = loosely;
}

bool canon_strand_is_kept(const struct canon_strand *strand)
{
    return !strand->is_short || strand->position != strand->first_position ||
           (strand->count && atomic_load(strand->count) != strand->first_count);
}

const char *canon_strand_label(const struct canon_strand *strand)
{
    return strand->name;
}

uint64_t canon_strand_position(const struct canon_strand *strand)
{
    return strand->position;
}

size_t canon_strand_history(const struct canon_strand *strand, const char **out, size_t most)
{
    size_t n = 0;
    for (uint64_t at = strand->position; at > 0 && n < most && n < CANON_HISTORY; at--)
        out[n++] = canon_role_step_name(strand->history[(at - 1) % CANON_HISTORY] & 7,
                                        strand->history[(at - 1) % CANON_HISTORY] >> 3);
    return n;
}

void canon_strand_add_check(struct canon_strand *strand, uint32_t checksum)
{
    strand->checks = (strand->checks ^ checksum) * 0x9e3779b97f4a7c15u;
}

/* ---- steps --------------------------------------------------------------------------------------- */

bool canon_role_is_over(void)
{
    return atomic_load(&finishing);
}

bool canon_step_reserve(struct canon_strand *strand)
{
    atomic_store(&strand->busy, true);
    strand->reserved = !atomic_load(&finishing);
    if (!strand->reserved)
        atomic_store_explicit(&strand->busy, false, memory_order_release);
    return strand->reserved;
}

struct canon_step *canon_step_begin(struct canon_strand *strand, enum canon_event_kind kind, uint64_t id)
{
    /* The store must be seen before the load: canon_role_finish does the reverse. */
    atomic_store(&strand->busy, true);
    enum canon_role_kind role = canon_role_now();
    bool over = role == CANON_ROLE_RECORDER && !strand->reserved && atomic_load(&finishing);
    strand->reserved = false;
    if (over || role == CANON_ROLE_PASSTHROUGH) {
        atomic_store_explicit(&strand->busy, false, memory_order_release);
        return NULL;
    }
    ops->begin(strand, kind, id);
    return &strand->step;
}

void canon_step_end(struct canon_strand *strand, enum canon_event_kind kind, uint64_t id)
{
    ops->end(strand, kind, id);
    strand->history[strand->position++ % CANON_HISTORY] = id << 3 | (uint64_t)kind;
    atomic_store_explicit(&strand->busy, false, memory_order_release);
}

/*
 * A step takes microseconds, but its thread may have to wait for a processor. Once a strand was seen idle
 * it writes nothing any more; it may still look busy for moments in which it finds that out.
 */
static void wait_until_idle(struct canon_strand *strand)
{
    strand->hangs = true;
    for (int i = 0; strand->hangs && i < 20000; i++) {
        strand->hangs = atomic_load(&strand->busy);
        if (strand->hangs)
            nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
}

void canon_role_finish(struct canon_strand *self)
{
    if (!ops || canon_role_now() == CANON_ROLE_PASSTHROUGH || atomic_exchange(&finishing, true))
        return;
    if (canon_role_now() == CANON_ROLE_REPLAYER) {
        ops->finish(NULL, self);
    } else {
        /* Under the lock: a strand that ends meanwhile waits, and then finds itself closed. */
        pthread_mutex_lock(&lock);
        for (struct canon_strand *strand = all_strands; strand; strand = strand->next)
            wait_until_idle(strand);
        canon_role_ending();
        ops->finish(all_strands, self);
        now = CANON_ROLE_PASSTHROUGH;
        pthread_mutex_unlock(&lock);
    }
    now = CANON_ROLE_PASSTHROUGH;
}
