/*
 * support.h: what the unit tests share: fresh directories, files, child processes, and snapshots: all that
 * can be read out of a trace part, to compare one reading with another.
 */
#ifndef CANON_TESTS_UNIT_SUPPORT_H
#define CANON_TESTS_UNIT_SUPPORT_H

#include "base/buffer.h"
#include "base/error.h"
#include "trace/reader.h"
#include "trace/writer.h"

/* cmocka.h wants these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* ---- files ---------------------------------------------------------------------------------------- */

/* A fresh directory below TMPDIR, removed when the process that made it ends. Not to be freed. */
const char *test_directory(void);
/* DIRECTORY/NAME in one of a few static buffers. */
const char *test_path(const char *directory, const char *name);
void test_read_file(const char *path, struct canon_buffer *bytes);
void test_write_file(const char *path, const void *bytes, size_t size);
void test_copy_files(const char *from, const char *to);
bool test_exists(const char *path);
/* Adds the strand without which no part is whole: the names of natives, none here. */
void test_add_names(const char *part);

/* ---- snapshots ------------------------------------------------------------------------------------ */

struct snapshot {
    int status; /* of canon_trace_open, or else of the first cursor that met an error */
    bool torn;
    char problem[512]; /* what canon_trace_open said */
    size_t count;
    struct snapshot_strand {
        char *name;
        bool torn;
        int status; /* of its cursor: 0 at the end of the strand */
        size_t count;
        struct canon_buffer events; /* every event as kind, id, size, payload */
        struct canon_buffer ends;   /* size_t: where in `events` each event ends */
    } * strands;
};

void snapshot_take(struct snapshot *snapshot, const char *part);
void snapshot_free(struct snapshot *snapshot);
/* NULL when there is none. */
const struct snapshot_strand *snapshot_find(const struct snapshot *snapshot, const char *name);
/* The same strands with the same events, all of them ended in the same way. */
bool snapshot_equal(const struct snapshot *a, const struct snapshot *b);
/* Every strand of `part` that has events is in `whole`, and its events are the first ones of that. */
bool snapshot_is_prefix(const struct snapshot *part, const struct snapshot *whole);

/* ---- events with known contents ------------------------------------------------------------------- */

/* Event `number` of a series: kind, id and payload follow from `seed` and the number alone. */
struct known_event {
    enum canon_event_kind kind;
    uint64_t id;
    const uint8_t *payload;
    size_t size;
};

/* Payloads of at most `most` bytes, mostly small. The payload is valid until the next call. */
struct known_event known_event(uint32_t seed, uint64_t number, size_t most);
int known_put(struct canon_writer *writer, uint32_t seed, uint64_t number, size_t most);
/* Fails the test unless the strand's events are numbers 0.. of the series; returns how many there are. */
uint64_t known_check(const struct canon_trace_strand *strand, uint32_t seed, size_t most);

/* ---- processes ------------------------------------------------------------------------------------ */

struct outcome {
    int status;                 /* of waitpid */
    struct canon_buffer errors; /* what it wrote to descriptor 2, NUL-terminated */
};

/*
 * Runs `body` in a child process, which ends with the status that it returns. A child that takes longer
 * than forty seconds is ended by SIGALRM, one in which an assertion fails by SIGABRT. Without `outcome`, its
 * standard error stays what it is.
 */
int test_in_child(int (*body)(void *context), void *context, struct outcome *outcome);
void outcome_free(struct outcome *outcome);

#endif
