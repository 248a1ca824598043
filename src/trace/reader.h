/*
 * reader.h: the reading side of a trace part. Traces are untrusted input: everything is checked, and a
 * bad trace gives an error code and a sentence, never a crash.
 *
 * Opening maps the files and notes where each strand's chunks lie; chunks are decoded only when a cursor
 * reaches them.
 */
#ifndef CANON_TRACE_READER_H
#define CANON_TRACE_READER_H

#include "base/buffer.h"
#include "trace/format.h"

struct canon_trace;
struct canon_trace_strand;

/* Opens a part. On failure `problem` (of `size` bytes) says what is wrong and where. */
int canon_trace_open(const char *part, struct canon_trace **out, char *problem, size_t size);
void canon_trace_close(struct canon_trace *trace);

/*
 * Whether some strand did not end in order, or recording had not even begun: the process was killed, or
 * recording stopped.
 */
bool canon_trace_is_torn(const struct canon_trace *trace);

size_t canon_trace_strand_count(const struct canon_trace *trace);
const struct canon_trace_strand *canon_trace_strand_at(const struct canon_trace *trace, size_t index);
/* NULL when there is no such strand. */
const struct canon_trace_strand *canon_trace_find(const struct canon_trace *trace, const char *name);

const char *canon_strand_name(const struct canon_trace_strand *strand);
/* Events, as counted by the chunks (a torn tail is not counted). */
uint64_t canon_strand_events(const struct canon_trace_strand *strand);
/* Bytes before and after compression. */
uint64_t canon_strand_raw_bytes(const struct canon_trace_strand *strand);
uint64_t canon_strand_stored_bytes(const struct canon_trace_strand *strand);
bool canon_strand_is_torn(const struct canon_trace_strand *strand);

struct canon_event {
    uint64_t number; /* 0, 1, 2... within the strand */
    enum canon_event_kind kind;
    uint64_t id;
    const uint8_t *payload; /* valid until the cursor moves on */
    size_t size;
};

/* Reads a strand's events in order. */
struct canon_cursor {
    const struct canon_trace_strand *strand;
    size_t next_chunk;
    struct canon_buffer bytes; /* decoded, not yet consumed from `at` on */
    size_t at;
    uint64_t number;
    int error; /* sticks: what lies behind damage is not to be trusted */
};

void canon_cursor_start(struct canon_cursor *cursor, const struct canon_trace_strand *strand);
void canon_cursor_stop(struct canon_cursor *cursor);
/* 0, CANON_E_END after the last whole event, or another error for a damaged trace. */
int canon_cursor_next(struct canon_cursor *cursor, struct canon_event *event);

#endif
