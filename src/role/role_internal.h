/*
 * role_internal.h: what the role files share: the strand and the operations of a role.
 */
#ifndef CANON_ROLE_ROLE_INTERNAL_H
#define CANON_ROLE_ROLE_INTERNAL_H

#include "role/role.h"
#include "trace/reader.h"
#include "trace/writer.h"

#include <stdatomic.h>

enum { CANON_HISTORY = 16 };

/* Ids of natives that the trace has no name for: no event has such an id. */
#define CANON_UNKNOWN_IDS (UINT64_C(1) << 40)

struct canon_strand {
    char *name;
    struct canon_step step;
    atomic_uint_fast64_t position; /* events done; written by its thread only */
    const _Atomic int64_t *count;  /* of operations, or NULL */
    bool counts_loosely;           /* it may be another one at replay */
    int64_t first_count;           /* where it began, */
    uint64_t first_position;       /* and the events before that */
    uint64_t checks;               /* running checksum of what went into its steps */
    bool is_short;
    bool closed;
    bool reserved;                   /* see canon_step_reserve */
    atomic_bool busy;                /* recorder: a step is being written; see canon_role_finish */
    bool hangs;                      /* recorder: that does not get done while the process ends */
    uint64_t history[CANON_HISTORY]; /* id << 3 | kind of the last steps, at position % CANON_HISTORY */

    /* recorder */
    struct canon_writer *writer;  /* long strands */
    struct canon_buffer gathered; /* short strands: whole events; also the items of the step in work */
    struct canon_buffer items;
    uint64_t untold; /* recorder: bytes of events since it last told how many */

    /* replayer */
    struct canon_cursor cursor;
    struct canon_event event; /* the one in work, or looked at by peek */
    bool has_event;
    bool has_recording;

    struct canon_strand *next; /* list of all strands; guarded by the lock in role.c */
};

/* Operations of the strand so far; 0 without a count. */
static inline uint64_t strand_operations(const struct canon_strand *strand)
{
    return strand->count ? (uint64_t)atomic_load(strand->count) >> 2 : 0;
}

/* One set a role. `begin` returns the step to describe; NULL means that nothing is to be described. */
struct canon_role_ops {
    int (*start)(const struct canon_role_config *config, char *problem, size_t size);
    uint64_t (*name)(const char *name);
    void (*open)(struct canon_strand *strand);
    void (*drop)(struct canon_strand *strand); /* as if it had not been opened; or NULL */
    void (*close)(struct canon_strand *strand, enum canon_end end);
    void (*begin)(struct canon_strand *strand, enum canon_event_kind kind, uint64_t id);
    void (*end)(struct canon_strand *strand, enum canon_event_kind kind, uint64_t id);
    void (*log)(enum canon_event_kind kind, uint64_t id, const void *payload, size_t size);
    void (*finish)(struct canon_strand *all, struct canon_strand *self);
    void (*forked)(struct canon_strand *all); /* see canon_role_forked */
};

extern const struct canon_role_ops canon_recorder_ops;
extern const struct canon_role_ops canon_replayer_ops;

/* The recorder gives up (disk full): the program goes on without it. */
void canon_role_abandon(int error);
extern canon_diverged_fn canon_role_diverged;
extern void (*canon_role_resting)(void);
extern void (*canon_role_ending)(void);
/* The name behind an id, for reports; never NULL. */
const char *canon_role_name_of(uint64_t id);
/* What a person calls a step; never NULL. */
const char *canon_role_step_name(enum canon_event_kind kind, uint64_t id);
void canon_role_remember_name(uint64_t id, const char *name);
void canon_role_forget_names(void);

#endif
