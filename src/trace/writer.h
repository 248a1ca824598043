/*
 * writer.h: the recording side of a trace part.
 *
 * A strand that lives long (a thread) has a writer of its own: one thread at a time uses it, and an
 * event costs a copy into a shared mapping, no lock and no system call. Its files take a while to make, so
 * strands that come later use those of strands that have ended. Short strands (the loading of a class) are
 * gathered by the caller and stored whole.
 */
#ifndef CANON_TRACE_WRITER_H
#define CANON_TRACE_WRITER_H

#include "trace/format.h"

struct canon_writer;

/*
 * Opens files in the directory `part`, for a strand. `file` is the stem of the file names, `strand` the
 * strand's full name. On failure nothing is left to undo.
 */
int canon_writer_open(const char *part, const char *file, const char *strand, struct canon_writer **out);

/*
 * The process may lose the right to reach its part by name, as servers do that begin as root: from here on
 * files in `part` are made by way of its directory, which is held open. In place of the one that was held
 * before.
 */
int canon_writer_hold(const char *part);
/* While it still may: the held directory gets another owner. */
int canon_writer_give(unsigned owner);

/* Appends one event. After an error (disk full, or a payload over CANON_EVENT_MAX) the writer stays usable
 * and returns the error again. */
int canon_writer_put(struct canon_writer *writer, enum canon_event_kind kind, uint64_t id,
                     const void *payload, size_t size);

/* Events put so far. */
uint64_t canon_writer_events(const struct canon_writer *writer);

/* Seals what is pending and marks the strand as ended in order. */
int canon_writer_end(struct canon_writer *writer);
/* After that, another strand begins. */
int canon_writer_begin(struct canon_writer *writer, const char *strand);
/* Ends the strand if there is one, removes the live file, frees. */
int canon_writer_close(struct canon_writer *writer);
/* The same without ending the strand, of which nothing is kept that was not sealed. */
void canon_writer_drop(struct canon_writer *writer);

/* After a fork, in the child: lets go of what is the parent's, and leaves it as it is. */
void canon_writer_leave(struct canon_writer *writer);

/* Many short strands in one file. Thread-safe; each put is one write(2). */
struct canon_store;
int canon_store_open(const char *part, const char *file, struct canon_store **out);
int canon_store_put(struct canon_store *store, const char *strand, const void *events, size_t size,
                    uint32_t count);
/* Also for a child, after a fork: there is nothing that it would have to write. */
void canon_store_close(struct canon_store *store);

#endif
