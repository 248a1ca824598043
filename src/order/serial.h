/*
 * serial.h: the order engine "serial": one strand runs at a time, and who ran when is all that is logged.
 *
 * There is a baton. A strand with a lane runs Java code only while it has it, from one of its operations to
 * another (lane.h; here an operation is a point at which it may give the baton away). Such a time is a
 * turn; turns are numbered. Between them nothing happens, so data races come out the same at replay, too.
 *
 *   log of a strand:   turn 3      left at 17     turn 8      left at 42    ...
 *   replay:            waits until 3 is on, runs to its operation 17, says "4 is on", waits for 8, ...
 *
 * Who is about to block gives the baton away before and takes it again after. If nobody wanted it meanwhile,
 * that was no end of a turn, and leaves no trace.
 *
 * A turn may also end between two operations: open. A strand that blocks inside the JVM, where canon has no
 * hand in it (another one initialises the class), has the baton taken from it; and what the JVM does
 * when it likes does not count, but may wait. At replay such a turn ends where the strand waits in the same
 * way, or at its next operation, whatever comes first.
 */
#ifndef CANON_ORDER_SERIAL_H
#define CANON_ORDER_SERIAL_H

#include "order/lane.h"

/* In place of canon_order_start. */
int canon_serial_start(bool enforced);
bool canon_serial_is_on(void);
/* A strand that computes for as long, without an operation, while others wait, is taken for one that spins
 * until one of them does something: its turn is over, open; that is told. Without a call it is not. */
void canon_serial_limit(int64_t nanos, void (*told)(void));

/* In a child, whose only thread goes on: its turns begin anew. */
void canon_serial_forked(void);

/* The strand on the lane begins: waits for its first turn; on its thread. */
void canon_serial_begin(struct canon_lane *lane);
/* It ends, or has no turns any more. */
void canon_serial_end(struct canon_lane *lane);

/* The lane's count has come to `next`: maybe it is another one's turn. */
void canon_serial_turn(struct canon_lane *lane);

/* How a strand pauses. */
enum canon_pause {
    CANON_PAUSE_BRIEF = 0,   /* it may well be over in a moment: others do not jump at the baton */
    CANON_PAUSE_LONG = 1,    /* whoever waits gets it */
    CANON_PAUSE_COUNTED = 2, /* at an operation; without, it may be missing at replay, or be elsewhere */
};

/*
 * The strand is about to block, or to do what may block. True: canon_serial_resume has to follow. At replay a
 * counted pause takes as long as it has to, and nothing follows.
 */
bool canon_serial_pause(struct canon_lane *lane, unsigned how);
void canon_serial_resume(struct canon_lane *lane);

/* One operation done by C code; canon_serial_turn or a pause has to follow. */
static inline void canon_serial_count(struct canon_lane *lane)
{
    int64_t count = atomic_load_explicit(&lane->count, memory_order_relaxed) + CANON_LANE_STEP;
    atomic_store_explicit(&lane->count, count, memory_order_relaxed);
}

/* Replay: looks at the strand's next event; by canon_lane_arm. */
void canon_serial_arm(struct canon_lane *lane);
/* Replay: the strand rests at the end of its recording: others get their turns. */
void canon_serial_rest(struct canon_lane *lane);
/* Replay: whether every turn is waited for. */
bool canon_serial_is_enforced(void);

#endif
