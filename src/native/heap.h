/*
 * heap.h: the program's heap: malloc and its family, with addresses that depend on nothing but what the
 * thread does.
 *
 * Each lane has a heap of its own, at a fixed address. A block that is freed goes to the heap of who frees
 * it; what gathers there beyond some size goes to a pool that all share, in the order of threads (ordered.h).
 */
#ifndef CANON_NATIVE_HEAP_H
#define CANON_NATIVE_HEAP_H

#include "native/heap_classes.h"
#include "native/native.h"

/* The heap of a lane; 0 is that of threads without one. */
struct canon_heap *canon_heap_at(int lane);

/* Around a fork: nobody else is in the middle of something then, which the child would inherit. */
void canon_heap_fork_begins(void);
void canon_heap_fork_ended(void);

#endif
