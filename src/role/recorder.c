/*
 * recorder.c: steps go into a trace. The counterpart, function by function, is replayer.c.
 */
#include "role/memo.h"
#include "role/role_internal.h"

#include "base/assert.h"
#include "base/error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *part;
static struct canon_store *shorts;
static atomic_uint file_number;

/* Protects the two shared writers and the ids of names; may be held while role.c's lock is taken. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct canon_writer *name_writer;
static struct canon_writer *note_writer;
static char **known_names;
static uint64_t known_count;

/* Writers of strands that have ended, for others. */
static pthread_mutex_t spare_lock = PTHREAD_MUTEX_INITIALIZER; /* leaf lock */
static struct canon_writer *spare[1024];
static size_t spare_count;

static int record_start(const struct canon_role_config *config, char *problem, size_t size)
{
    part = strdup(config->part);
    int status = canon_writer_open(part, "names", CANON_STRAND_NAMES, &name_writer);
    for (uint64_t id = 0; !status && id < known_count; id++) /* in a child of a recorded process */
        status =
            canon_writer_put(name_writer, CANON_EVENT_NAME, id, known_names[id], strlen(known_names[id]));
    if (!status)
        status = canon_writer_open(part, "notes", "notes", &note_writer);
    if (!status)
        status = canon_store_open(part, "classes", &shorts);
    if (!status)
        status = canon_memo_start_recording(part);
    if (status)
        snprintf(problem, size, "%s: %s", part, canon_error_text(status));
    return status;
}

static uint64_t record_name(const char *name)
{
    pthread_mutex_lock(&lock);
    uint64_t id = 0;
    while (id < known_count && strcmp(known_names[id], name) != 0)
        id++;
    if (id == known_count) {
        known_names = realloc(known_names, (known_count + 1) * sizeof *known_names);
        canon_assert(known_names);
        known_names[known_count++] = strdup(name);
        canon_role_remember_name(id, name);
        int status =
            !name_writer ? 0 : canon_writer_put(name_writer, CANON_EVENT_NAME, id, name, strlen(name));
        if (status)
            canon_role_abandon(status);
    }
    pthread_mutex_unlock(&lock);
    return id;
}

static void record_open(struct canon_strand *strand)
{
    if (strand->is_short)
        return;
    pthread_mutex_lock(&spare_lock);
    strand->writer = spare_count ? spare[--spare_count] : NULL;
    pthread_mutex_unlock(&spare_lock);
    char file[32];
    int status;
    if (strand->writer) {
        status = canon_writer_begin(strand->writer, strand->name);
    } else {
        snprintf(file, sizeof file, "strand-%u", atomic_fetch_add(&file_number, 1));
        status = canon_writer_open(part, file, strand->name, &strand->writer);
    }
    if (status)
        canon_role_abandon(status);
}

/* The process has ended in between. */
static void record_drop(struct canon_strand *strand)
{
    if (strand->writer)
        canon_writer_drop(strand->writer);
    strand->writer = NULL;
}

/* The strand ends; its files are for the next one. */
static int put_aside(struct canon_writer *writer)
{
    int status = canon_writer_end(writer);
    pthread_mutex_lock(&spare_lock);
    bool room = !status && spare_count < sizeof spare / sizeof *spare;
    if (room)
        spare[spare_count++] = writer;
    pthread_mutex_unlock(&spare_lock);
    return room ? 0 : canon_writer_close(writer);
}

/* Appends an event to a short strand's gathered bytes. */
static void gather(struct canon_strand *strand, enum canon_event_kind kind, uint64_t id,
                   const struct canon_buffer *items)
{
    canon_buffer_put_varint(&strand->gathered, id << 3 | (uint64_t)kind);
    canon_buffer_put_varint(&strand->gathered, items->used);
    canon_buffer_put(&strand->gathered, items->data, items->used);
}

/* Bytes of events, told by strands when they have some more of them. */
enum { TOLD_AT_ONCE = 32 << 10 };
static _Atomic uint64_t logged;

uint64_t canon_role_logged(void)
{
    return atomic_load_explicit(&logged, memory_order_relaxed);
}

static void put_event(struct canon_strand *strand, enum canon_event_kind kind, uint64_t id)
{
    int status = 0;
    strand->untold += strand->items.used;
    if (strand->untold >= TOLD_AT_ONCE) {
        atomic_fetch_add_explicit(&logged, strand->untold, memory_order_relaxed);
        strand->untold = 0;
    }
    if (strand->items.used > CANON_EVENT_MAX)
        status = CANON_E_LIMIT;
    else if (strand->is_short)
        gather(strand, kind, id, &strand->items);
    else if (strand->writer)
        status = canon_writer_put(strand->writer, kind, id, strand->items.data, strand->items.used);
    if (status)
        canon_role_abandon(status);
}

static void record_close(struct canon_strand *strand, enum canon_end end)
{
    if (strand->closed)
        return;
    strand->closed = true;
    if (!canon_strand_is_kept(strand))
        return; /* nothing happened in it: most class loads */
    strand->items.used = 0;
    canon_buffer_put_varint(&strand->items, strand->position);
    canon_buffer_put_varint(&strand->items, strand->checks);
    canon_buffer_put_varint(&strand->items, strand_operations(strand));
    put_event(strand, CANON_EVENT_END, end);
    int status = 0;
    if (strand->is_short)
        status = canon_store_put(shorts, strand->name, strand->gathered.data, strand->gathered.used,
                                 (uint32_t)strand->position + 1);
    else if (strand->writer)
        status = put_aside(strand->writer);
    strand->writer = NULL;
    if (status)
        canon_role_abandon(status);
}

static void record_begin(struct canon_strand *strand, enum canon_event_kind kind, uint64_t id)
{
    (void)kind, (void)id;
    strand->items.used = 0;
    strand->step = (struct canon_step){.way = CANON_STEP_PUT, .out = &strand->items};
}

static void record_end(struct canon_strand *strand, enum canon_event_kind kind, uint64_t id)
{
    put_event(strand, kind, id);
}

static void record_log(enum canon_event_kind kind, uint64_t id, const void *payload, size_t size)
{
    pthread_mutex_lock(&lock);
    int status = note_writer ? canon_writer_put(note_writer, kind, id, payload, size) : 0;
    pthread_mutex_unlock(&lock);
    if (status)
        canon_role_abandon(status);
}

static void record_finish(struct canon_strand *all, struct canon_strand *self)
{
    for (struct canon_strand *strand = all; strand; strand = strand->next)
        if (!strand->hangs) /* one that hangs in its step stays as it is: cut off */
            record_close(strand, strand == self ? CANON_END_PROCESS : CANON_END_RUNNING);
    while (spare_count) /* nobody opens a strand any more: see role.c */
        canon_writer_close(spare[--spare_count]);
    pthread_mutex_lock(&lock);
    int status = canon_writer_close(name_writer);
    int other = canon_writer_close(note_writer);
    name_writer = note_writer = NULL; /* threads of the JVM go on for a while */
    pthread_mutex_unlock(&lock);
    status = status ? status : other;
    if (!status)
        status = canon_memo_finish();
    if (status)
        canon_role_abandon(status);
}

static void record_forked(struct canon_strand *all)
{
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_init(&spare_lock, NULL);
    for (struct canon_strand *strand = all; strand; strand = strand->next)
        if (strand->writer)
            canon_writer_leave(strand->writer);
    while (spare_count)
        canon_writer_leave(spare[--spare_count]);
    if (name_writer)
        canon_writer_leave(name_writer);
    if (note_writer)
        canon_writer_leave(note_writer);
    if (shorts)
        canon_store_close(shorts);
    name_writer = note_writer = NULL;
    shorts = NULL;
    file_number = 0;
}

const struct canon_role_ops canon_recorder_ops = {
    .start = record_start,
    .name = record_name,
    .open = record_open,
    .drop = record_drop,
    .close = record_close,
    .begin = record_begin,
    .end = record_end,
    .log = record_log,
    .finish = record_finish,
    .forked = record_forked,
};
