/*
 * role.h: what an intercepted step does: nothing more (passthrough), go into the stream (recorder), or
 * come out of it (replayer). Leader and follower will be the same two with a ring as stream.
 *
 * The interception layer asks for a step on a strand, performs the real thing if the role says so,
 * describes the items (step.h) and ends the step.
 *
 *   strand = canon_role_strand("main")
 *   begin(strand, native) -> runs_real ? perform : -      items...      end(strand)
 */
#ifndef CANON_ROLE_ROLE_H
#define CANON_ROLE_ROLE_H

#include "role/step.h"
#include "role/watch.h"
#include "trace/format.h"

#include <stdatomic.h>

enum canon_role_kind { CANON_ROLE_PASSTHROUGH, CANON_ROLE_RECORDER, CANON_ROLE_REPLAYER };

struct canon_strand;
struct canon_event;
struct canon_trace;

/* Why a replay cannot go on. */
enum canon_divergence_kind {
    CANON_DIVERGED_KIND,    /* another native, or another kind of event, was recorded here */
    CANON_DIVERGED_INPUT,   /* the same native, with other arguments or output data */
    CANON_DIVERGED_ITEMS,   /* the same native, but what was recorded does not fit it */
    CANON_DIVERGED_EXTRA,   /* the strand goes on after its last recorded event */
    CANON_DIVERGED_MISSING, /* recorded events were not reached */
    CANON_DIVERGED_STRAND,  /* no such strand was recorded */
    CANON_DIVERGED_FILE,    /* class loading asks for something that it did not read in the recording */
    CANON_DIVERGED_STUCK,   /* strands wait for each other, and nothing moves any more */
    CANON_DIVERGED_TRACE,   /* the trace is damaged */
    CANON_DIVERGED_NONE,    /* the recording itself ended here */
};

struct canon_divergence {
    enum canon_divergence_kind kind;
    const struct canon_strand *strand; /* NULL for one that was not recorded */
    const char *strand_name;
    uint64_t number;      /* of the event */
    const char *expected; /* step in the trace, for a person; may be NULL */
    const char *actual;   /* step that the program asked for; may be NULL */
};

/* Provided by the interception layer: reports and ends the process. */
typedef void (*canon_diverged_fn)(const struct canon_divergence *divergence) __attribute__((noreturn));

struct canon_role_config {
    enum canon_role_kind kind;
    const char *part; /* the trace part's directory */
    canon_diverged_fn diverged;
    void (*resting)(void);     /* a strand has come to where its recording stops, and waits for the end */
    void (*ending)(void);      /* the process ends in order, all strands are at their ends; or NULL */
    struct canon_watch *watch; /* replayer: where canon looks on, or NULL */
    bool turned;               /* replayer: by canon_role_turn: strands may have ended before */
    bool is_child;             /* replayer: of another one that canon looks at; its end is not the end */
};

int canon_role_start(const struct canon_role_config *config, char *problem, size_t size);
/*
 * A recorder becomes a replayer of its own trace, in the middle of it: every strand goes on after the events
 * that it has done. For a process whose memory was put back to how it was when they were done.
 */
int canon_role_turn(const struct canon_role_config *config, char *problem, size_t size);

/*
 * After a fork, in the child, which has one thread: lets go of the parent's strands, and leaves the stream as
 * it is. Another role may be started. Ids of names that the recorder has given stay what they are.
 */
void canon_role_forked(void);
enum canon_role_kind canon_role_now(void);

/*
 * The number of a native in this stream, by its name ("java/io/File.x()V"). New names are added when
 * recording; when replaying, a name that was not recorded gets a number that matches no event.
 */
uint64_t canon_role_name(const char *name);
/* The same for who asks often: to find a name takes a while. `kept` is 0 at first. */
uint64_t canon_role_name_kept(const char *name, _Atomic uint64_t *kept);

/* Opens a long-lived strand (a thread). Never NULL; after an error the role is passthrough. */
struct canon_strand *canon_strand_open(const char *name);
/* Opens a short strand (the loading of a class); it is stored when closed. */
struct canon_strand *canon_strand_open_short(const char *name);
void canon_strand_close(struct canon_strand *strand);
/* The strand's operations are counted there, in steps of 4 (order/lane.h): its end tells how many there
 * were. What was logged before does not make a short strand worth storing. */
void canon_strand_counts(struct canon_strand *strand, const _Atomic int64_t *count);
/* Whether a replay may end with another number of them. */
void canon_strand_counts_loosely(struct canon_strand *strand, bool loosely);
/* Recorder: whether the strand, if it is closed now, is stored: not a short one in which nothing happened. */
bool canon_strand_is_kept(const struct canon_strand *strand);
const char *canon_strand_label(const struct canon_strand *strand);

/*
 * Starts a step. Recorder: PUT; NULL when recording has ended. Replayer: GET, after checking kind and
 * id; does not return on divergence, nor when the recording ends before this step.
 */
struct canon_step *canon_step_begin(struct canon_strand *strand, enum canon_event_kind kind, uint64_t id);
/*
 * Recorder, before something happens that the world can see: makes sure that the end of the process, by
 * another strand, does not come between it and its event. False: the end has come, do not do it.
 */
bool canon_step_reserve(struct canon_strand *strand);
/* Ends it. Replayer: every item must have been taken. */
void canon_step_end(struct canon_strand *strand, enum canon_event_kind kind, uint64_t id);
/* Adds what went into the step to the strand's running checksum. */
void canon_strand_add_check(struct canon_strand *strand, uint32_t checksum);
/* Replayer: what went in is not what was recorded. `expected` and `actual` describe it. */
_Noreturn void canon_step_mismatch(struct canon_strand *strand, const char *expected, const char *actual);

/* Replayer: the strand waits for `expected`, which does not come. */
_Noreturn void canon_strand_stuck(struct canon_strand *strand, const char *expected, const char *actual);

/* Replayer: the memo (memo.h) has no answer. */
_Noreturn void canon_role_unanswered(struct canon_strand *strand, const char *actual);

/* A NOTE event: kept for `info`, once; not an event of the program, so not enforced at replay. */
void canon_role_note(enum canon_note note, const char *text);

/*
 * Recorder: an event of no strand in particular goes into the strand "notes", for the replayer to read
 * beforehand.
 */
void canon_role_log(enum canon_event_kind kind, uint64_t id, const struct canon_buffer *items);

/* Replayer: whether the recording has anything of that name. */
bool canon_role_has_name(const char *name);
/* Replayer: the strand's next event, NULL if there is none; valid until the strand's next step. */
const struct canon_event *canon_strand_peek(struct canon_strand *strand);
/* Replayer: comes back unless the recording of the strand stops here, without the strand having ended: then
 * nothing that it would do now was done. */
void canon_strand_rest_at_end(struct canon_strand *strand);
/* Replayer: whether the trace has the strand at all. */
bool canon_strand_is_recorded(const struct canon_strand *strand);
/* Replayer: the trace. */
const struct canon_trace *canon_role_trace(void);

/*
 * Replayer, for a debugger: it sets these two, and a breakpoint on the function, which is called when that
 * strand is about to take that event.
 */
extern char canon_debug_strand[256];
extern uint64_t canon_debug_event;
void canon_debug_reached(void);

/* Events done on the strand; replayer: on all strands, and how many of them were recorded. */
uint64_t canon_strand_position(const struct canon_strand *strand);
uint64_t canon_role_events_done(void);
/* Recorder: bytes of all events, but for some kilobytes of each strand. */
uint64_t canon_role_logged(void);
uint64_t canon_role_events_recorded(void);

/* Names of the last steps of a strand, newest first; returns how many were written. */
size_t canon_strand_history(const struct canon_strand *strand, const char **names, size_t most);

/*
 * The process is about to end in order, by the strand `self` (NULL: by a thread without one). Recorder:
 * seals everything. Replayer: `self` must be at its recorded end; the other threads' strands get a while
 * to reach theirs; recorded events that are left over are a divergence.
 */
void canon_role_finish(struct canon_strand *self);
/* Whether that has happened. */
bool canon_role_is_over(void);

/* Names of strands begin with what they are. */
#define CANON_STRAND_THREAD "thread "
#define CANON_STRAND_MAIN CANON_STRAND_THREAD "main" /* every recording has it */
#define CANON_STRAND_SERVICE "service "
#define CANON_STRAND_LOAD "load "
#define CANON_STRAND_INIT "init "

#endif
