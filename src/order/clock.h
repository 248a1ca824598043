/*
 * clock.h: what comes after what in a replay, for who looks for data races. A lane's clock has, by number of
 * lane, how many operations of that lane come before what the lane does now; all that it did before the last
 * of them does, too.
 *
 * Who follows a lane takes over what that lane knows now, which may be more than it knew at the operation
 * that is followed: a race may be missed, but none is made up.
 */
#ifndef CANON_ORDER_CLOCK_H
#define CANON_ORDER_CLOCK_H

#include "order/lane.h"

/* Clocks are kept from now on. */
void canon_clocks_keep(void);

/* The strand that is about to be started comes after all that `lane` did: what it begins with, malloc'd. NULL
 * if clocks are not kept, or `lane` is. */
int64_t *canon_clock_copy(const struct canon_lane *lane);
/* The lane begins with that, and takes it. */
void canon_clock_begin(struct canon_lane *lane, int64_t *clock);
/* The lane comes after an operation of another one. */
void canon_clock_follow(struct canon_lane *lane, const struct canon_lane *other, int64_t operations);

#endif
