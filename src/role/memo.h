/*
 * memo.h: steps that are looked up by what they ask instead of by their place in a strand.
 *
 * The JVM decides when, in which order and on which thread classes are loaded, and the loaders share what
 * they open. So what loading reads from files is stored once under a key (native, arguments, state of the
 * file) in the strand "files", and any thread may ask for it in any order at replay.
 *
 * A key may get another answer later (a class file that was written meanwhile): then the new answer is
 * stored with the number of the question from which on it holds.
 */
#ifndef CANON_ROLE_MEMO_H
#define CANON_ROLE_MEMO_H

#include "base/buffer.h"

#define CANON_STRAND_FILES "files"

/* Recorder: the answer to `key` is `items`. */
void canon_memo_put(uint64_t key, uint64_t id, const struct canon_buffer *items);
/* Replayer: false when the recording has no answer. */
bool canon_memo_get(uint64_t key, struct canon_reader *items);

/* ---- for the roles ------------------------------------------------------------------------------- */

struct canon_trace;
int canon_memo_start_recording(const char *part);
int canon_memo_load(const struct canon_trace *trace);
int canon_memo_finish(void);
void canon_memo_forked(void);

#endif
