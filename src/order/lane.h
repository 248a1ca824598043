/*
 * lane.h: the order engine "edges": threads repeat the order in which they met.
 *
 * A strand that synchronises has a lane: a counter of its operations (monitors entered and left, volatile
 * fields and atomics accessed) that other strands can read. When an operation touches something that
 * another strand touched last, the recorder logs an edge: "my operation n comes after operation k of lane s".
 * At replay the operation waits until that lane has come as far; all others just run.
 *
 * All that touches one thing is ordered, reads before writes too, so a replay keeps no versions and knows
 * nothing of what was touched: edges are all there is. Whose turn it was is only followed when recording:
 * by words next to what is touched (java/runtime's CanonRecord for Java), which hold a lane and its count.
 *
 * An edge may name a later operation of the other lane than the one that matters, as long as that was done
 * when the edge was made. So edges never contradict each other: time itself is an order that fits them all.
 *
 * Lanes are few (their number goes into the words) and are used again: the next strand on a lane goes on with
 * its count, and begins, at replay too, after the one before has ended.
 */
#ifndef CANON_ORDER_LANE_H
#define CANON_ORDER_LANE_H

#include "role/role.h"

#include <stdatomic.h>
#include <stddef.h>

enum { CANON_LANE_COUNT = 4096 }; /* number 0 is nobody */

/* The two low bits of a count: what the lane does now. */
enum canon_lane_state {
    CANON_LANE_IDLE = 0,
    CANON_LANE_FAST = 1, /* in an operation that it did not announce in any other way; soon over */
    CANON_LANE_SLOW = 2, /* in an operation that keeps others out by itself */
    CANON_LANE_STEP = 4, /* what one operation adds */
};

/* Java knows this layout: java.lang.CanonLane. */
struct canon_lane {
    _Atomic int64_t count;       /* 4 * operations + enum canon_lane_state; written by its own strand only */
    int64_t next;                /* replay: the count at which something has to be waited for */
    _Atomic int64_t waited;      /* replay: the smallest count that others sleep for; see wait.c */
    int64_t number;              /* of the lane */
    int64_t owned;               /* recorder: the word of what is this lane's alone */
    int64_t held_at;             /* recorder: where the word is that the operation in work has locked, */
    int64_t held_word;           /* and what it will be */
    int64_t *seen;               /* by number: operations of other lanes that this one comes after anyway */
    int64_t *clock;              /* by number: clock.h; NULL: not kept */
    int64_t logged;              /* operations at the last event */
    int ticked;                  /* vector.c: entries of the last vector, which is in `seen` */
    struct canon_strand *strand; /* NULL: nobody's */
    _Atomic int still;           /* replay: > 0: its thread does nothing of the strand's just now */
    int64_t overdue;             /* replay: operations at which others have waited long enough for it */
    _Atomic int awaited;         /* replay: the lane that it waits for, 0: none; for reports, */
    int64_t awaited_operations;  /* and how far that has to come */
    _Atomic uint32_t bell;       /* futex; serial.h */
    _Atomic uint32_t taken;
    int64_t last; /* replay: operations at which the recording stops, and one; 0: not known */
    struct canon_sleeper *sleepers;
    _Atomic bool sleepers_lock;

    /* Order engine "serial": serial.h. */
    int64_t turn;              /* the number of its present or last turn */
    _Atomic int64_t wanted;    /* replay: the turn that it waits for; 0: none */
    _Atomic bool open;         /* replay: `next` is the end of a turn between two operations, */
    int64_t left_at;           /* recorder: operations when it lent or lost the baton, */
    bool left_open;            /* and whether that was between two */
    bool granted;              /* recorder: it is the one, out of the queue, */
    struct canon_lane *behind; /* in which this one comes next */
    _Atomic int steady;        /* recorder: > 0: others would rather not run now, */
    _Atomic bool pressed;      /* but have waited for long */
    int thread;                /* its thread, for the system */
};

/* Before any strand is opened. `enforced`: whether a replay waits; otherwise it only reads the edges. */
int canon_order_start(bool enforced);

/* Replay, for tests: strands are late at some edges, by chance; NULL: none is. Without a call
 * CANON_TEST_DELAYS says it. */
void canon_order_delay(const char *seed);

/* After a fork, in the child: all lanes are free, and keep their counts; the next strand gets `kept`. */
void canon_order_forked(struct canon_lane *kept);
/* Replay, then: how far a lane had come. */
void canon_order_set(int number, int64_t operations);

/* A strand begins or ends. NULL: it has no order (replay: it had none in the recording). */
struct canon_lane *canon_lane_open(struct canon_strand *strand);
/* Closes the strand, then its lane. `lane` may be NULL. */
void canon_lane_close(struct canon_lane *lane, struct canon_strand *strand);

/* Recorder: the operation in work comes after everything that lane `other` (0: any) has done so far. With
 * `settle`, also after what that lane is just doing in the fast way. */
void canon_lane_follow(struct canon_lane *lane, int other, bool settle);
/* Recorder: after operation `count` of `other`. */
void canon_lane_follow_to(struct canon_lane *lane, int other, int64_t operations);

/* Replay of a recording that was cut off: the lane had come so far. */
void canon_lane_stop_at(int number, int64_t operations);
/* The process has become a replayer in the middle of its recording: canon_role_turn. */
void canon_order_turn(void);

/* Replay: looks at the strand's next event; to be called whenever one was taken. */
void canon_lane_arm(struct canon_lane *lane);
/* Replay: waits for what the operation that is about to begin has to wait for. */
void canon_lane_await(struct canon_lane *lane);
/* Replay: the operation that comes next comes after so many of another lane, which is told; NULL: it does
 * not. */
struct canon_lane *canon_lane_comes_after(struct canon_lane *lane, int64_t *operations);
/* Replay: waits until every other lane has come to the end of what it was doing when the operation in work
 * was recorded, and is about to do something that counts. Not for ever: one may compute for long. */
void canon_lane_await_arrivals(struct canon_lane *lane);
/*
 * Replay: steps that a strand may come to an operation without having done: native `id`, whose first item is
 * the number of the operation. `perform` does the one that is next.
 */
void canon_lane_due(uint64_t id, void (*perform)(struct canon_lane *lane));
/* Replay: others sleep for the lane's count. */
void canon_lane_ring(struct canon_lane *lane);

/* Whether an operation of Java code was begun and not done. */
static inline bool canon_lane_in_work(const struct canon_lane *lane)
{
    return atomic_load_explicit(&lane->count, memory_order_relaxed) & (CANON_LANE_FAST | CANON_LANE_SLOW);
}

/* One operation done by C code: both ways. None of Java code is in work: canon_order_settle. */
static inline void canon_lane_begin(struct canon_lane *lane)
{
    if (atomic_load_explicit(&lane->count, memory_order_relaxed) == lane->next)
        canon_lane_await(lane);
}

static inline void canon_lane_done(struct canon_lane *lane)
{
    int64_t count = (atomic_load_explicit(&lane->count, memory_order_relaxed) | (CANON_LANE_STEP - 1)) + 1;
    atomic_store_explicit(&lane->count, count, memory_order_release);
    if (count >= atomic_load_explicit(&lane->waited, memory_order_relaxed))
        canon_lane_ring(lane);
}

struct canon_lane *canon_lane_at(int number);
/* The largest number of a lane that was ever taken. */
int canon_lane_most(void);

/*
 * What so many lanes need when recording, besides the fields that objects get: each lane and the pages of
 * what it has seen, and what java.lang.CanonLane and CanonRecord share: words of statics and arrays, sites.
 */
static inline uint64_t canon_order_memory(uint64_t lanes)
{
    uint64_t page = 4096, seen = (lanes * sizeof(int64_t) / page + 1) * page;
    return lanes * (sizeof(struct canon_lane) + seen) + (8 << 15) + (1 << 18);
}
/* Operations of all lanes: whether anything moves. */
int64_t canon_lane_total(void);

/* Replay: for who waits for something that no lane tells of. All zeros at first. */
struct canon_patience {
    int64_t since;
    int64_t operations;
    uint64_t events;
};
/*
 * Comes back after a moment, in which the lane (or NULL) does nothing of its strand; false: nothing has moved
 * for so many seconds.
 */
bool canon_order_nap(struct canon_lane *lane, struct canon_patience *patience, int seconds);

static inline int64_t canon_lane_operations(const struct canon_lane *lane)
{
    return atomic_load_explicit(&lane->count, memory_order_acquire) >> 2;
}

static_assert(offsetof(struct canon_lane, next) == 8 && offsetof(struct canon_lane, waited) == 16 &&
                  offsetof(struct canon_lane, number) == 24 && offsetof(struct canon_lane, owned) == 32 &&
                  offsetof(struct canon_lane, held_at) == 40 &&
                  offsetof(struct canon_lane, held_word) == 48 && offsetof(struct canon_lane, seen) == 56 &&
                  offsetof(struct canon_lane, clock) == 64,
              "java.lang.CanonLane");

/*
 * Recorder, for comparison only (vector.c): around an operation that logs a vector clock in place of edges.
 */
void canon_vector_begin(struct canon_lane *lane);
void canon_vector_end(struct canon_lane *lane);

/* ---- between the files of this folder -------------------------------------------------------------------
 */

/* Replay, for tests: maybe the strand is late here. */
void canon_lane_delay(const struct canon_lane *lane);

/* The id of an ORDER event that is a vector: of no lane. */
enum { CANON_ORDER_VECTOR = 0 };
/* Replay: reads a vector; then waits for it. */
void canon_vector_take(struct canon_lane *lane, struct canon_reader *entry);
void canon_vector_await(struct canon_lane *lane);
/* Replay: waits until lane `other` has come as far as `lane` is to have seen of it. */
void canon_lane_await_seen(struct canon_lane *lane, int other);

/* Comes back when `source` has done that many operations; ends the replay if it never will. `lane` is the
 * strand's, NULL if it has none yet. */
void canon_lane_wait_for(struct canon_lane *lane, struct canon_strand *strand, struct canon_lane *source,
                         int64_t operations);
/* A full fence in every thread of the process; false if the system has none. */
bool canon_order_fence(void);
void canon_order_prepare_fence(void);

#endif
