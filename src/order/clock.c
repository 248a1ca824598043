/* clock.c: see clock.h. */
#include "order/clock.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

static bool keeping;

void canon_clocks_keep(void)
{
    keeping = true;
}

int64_t *canon_clock_copy(const struct canon_lane *lane)
{
    if (!keeping || !lane)
        return NULL;
    int64_t *made = calloc(CANON_LANE_COUNT, sizeof *made);
    canon_assert(made);
    if (lane->clock)
        memcpy(made, lane->clock, CANON_LANE_COUNT * sizeof *made);
    made[lane->number] = canon_lane_operations(lane) + 1;
    return made;
}

void canon_clock_begin(struct canon_lane *lane, int64_t *clock)
{
    if (!keeping || !lane) {
        free(clock);
        return;
    }
    if (!clock)
        clock = calloc(CANON_LANE_COUNT, sizeof *clock);
    canon_assert(clock);
    lane->clock = clock; /* the one before stays: others may be reading it */
}

void canon_clock_follow(struct canon_lane *lane, const struct canon_lane *other, int64_t operations)
{
    if (!keeping || !lane->clock)
        return;
    for (int i = 0; other->clock && i < CANON_LANE_COUNT; i++)
        if (lane->clock[i] < other->clock[i])
            lane->clock[i] = other->clock[i];
    if (lane->clock[other->number] < operations)
        lane->clock[other->number] = operations;
}
