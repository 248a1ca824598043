/*
 * baton.h: the baton of serial.h while recording: whoever has it runs. Those that want it stand in a queue.
 *
 * The one in front looks after the others: it asks the holder to give the baton away after a
 * millisecond, takes it when it is lent, and steals it from a holder that blocks where nobody gets at it.
 */
#ifndef CANON_ORDER_BATON_H
#define CANON_ORDER_BATON_H

#include "order/lane.h"

/* Waits until it is the lane's; for ever if the process ends meanwhile. False: the recording has been given
 * up, the strand goes on without. */
bool canon_baton_take(struct canon_lane *lane);
/* To the first in the queue, or nobody; the lane goes to the end of the queue and waits. False: likewise. */
bool canon_baton_rotate(struct canon_lane *lane);
/* To the first in the queue, or nobody. */
void canon_baton_drop(struct canon_lane *lane);
bool canon_baton_is_wanted(void);
bool canon_baton_is_held_by(const struct canon_lane *lane);

/* It may be taken by who wants it; `now`: the first in the queue has it at once. False: the lane has not got
 * it any more. */
bool canon_baton_lend(struct canon_lane *lane, bool now);
bool canon_baton_is_lent_by(const struct canon_lane *lane);
/* Whether nobody has taken it since: it is the lane's again. */
bool canon_baton_recover(struct canon_lane *lane);

/* In a child: nobody has it. */
void canon_baton_forked(void);
/* As canon_serial_limit. */
void canon_baton_limit(int64_t nanos, void (*told)(void));

/* Whether a thread of this process sleeps: it neither runs nor waits for a processor. */
bool canon_thread_sleeps(int thread);

#endif
