/*
 * vector.c: an order engine to compare with, for bench: one vector clock, with an entry a lane, for the whole
 * program. Every operation increments its lane's entry and gets a copy of all of them, under one lock, and
 * the copy is logged; a replay waits until all lanes have come as far. This is how JMVX keeps order.
 */
#include "order/lane.h"

#include "trace/reader.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

/*
 * The clock's lock is held while an access of the program's is done, which may make the JVM load or
 * initialise a class: whoever holds it may come here again, and may have to wait for others. Those wait at
 * most so long.
 */
enum { LONGEST_SECONDS = 1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t vector[CANON_LANE_COUNT]; /* operations of each lane */
static int entries;                      /* lanes 1 to `entries` have done something */
static _Thread_local int depth;          /* of operations in work while this thread holds the lock */

static void enter(void)
{
    if (depth++)
        return;
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += LONGEST_SECONDS;
    if (pthread_mutex_timedlock(&lock, &limit)) {
        depth = 0;
        canon_role_note(CANON_NOTE_LIMIT, "the vector clock was not free: some operations have no order");
    }
}

static void leave(void)
{
    if (depth && --depth == 0)
        pthread_mutex_unlock(&lock);
}

/* What the lane has seen is what it logs: so edges of operations that C code does fit in. */
static void tick(struct canon_lane *lane)
{
    if (lane->number > entries)
        entries = (int)lane->number;
    vector[lane->number] = canon_lane_operations(lane) + 1;
    memcpy(lane->seen, vector, (size_t)(entries + 1) * sizeof *vector);
    lane->ticked = entries;
}

static void record(struct canon_lane *lane)
{
    struct canon_step *step = canon_step_begin(lane->strand, CANON_EVENT_ORDER, CANON_ORDER_VECTOR);
    if (!step)
        return;
    int64_t own = canon_lane_operations(lane);
    canon_buffer_put_varint(step->out, (uint64_t)(own - lane->logged));
    for (int i = 1; i <= lane->ticked; i++)
        canon_buffer_put_varint(step->out, (uint64_t)lane->seen[i]);
    canon_step_end(lane->strand, CANON_EVENT_ORDER, CANON_ORDER_VECTOR);
    lane->logged = own;
}

void canon_vector_begin(struct canon_lane *lane)
{
    enter();
    tick(lane);
    atomic_fetch_add_explicit(&lane->count, CANON_LANE_SLOW, memory_order_relaxed);
}

void canon_vector_end(struct canon_lane *lane)
{
    leave();
    record(lane);
    atomic_fetch_add_explicit(&lane->count, CANON_LANE_STEP - CANON_LANE_SLOW, memory_order_release);
}

void canon_vector_take(struct canon_lane *lane, struct canon_reader *entry)
{
    lane->ticked = 0;
    while (canon_reader_left(entry) && !entry->failed && lane->ticked < CANON_LANE_COUNT - 1)
        lane->seen[++lane->ticked] = (int64_t)canon_reader_varint(entry);
}

void canon_vector_await(struct canon_lane *lane)
{
    for (int i = 1; i <= lane->ticked; i++)
        if (i != lane->number && lane->seen[i])
            canon_lane_await_seen(lane, i);
}
