/*
 * heap.h: the program's heap: malloc and its family, with addresses that depend on nothing but what the
 * thread does.
 *
 * Each lane has a heap of its own, at a fixed address. A block that is freed goes to the heap of who frees
 * it; what gathers there beyond some size goes to a pool that all share, in the order of threads (ordered.h).
 */
#ifndef CANON_NATIVE_HEAP_H
#define CANON_NATIVE_HEAP_H

#include "base/size_classes.h"
#include "native/native.h"

/* The heap of a lane; 0 is that of threads without one. */
struct canon_heap *canon_heap_at(int lane);
int canon_heap_lane(const struct canon_heap *heap);

/* Bytes of a lane's zone that were ever given out; blocks that are mappings are not there. */
size_t canon_heap_used(int lane);

/* ---- for blocks with guards: detect/guard.h -------------------------------------------------------------
 */

/* A block of a class, without a header; NULL if there is no memory. `zeroed`: whether it is known to be zero.
 */
void *canon_heap_take(struct canon_self *self, int class, bool *zeroed);
void canon_heap_give(struct canon_self *self, void *block, int class);
/* Bytes of memory that has a header. */
size_t canon_heap_plain_size(void *memory);
/* What the first thread allocates from now on lies behind the address that comes back. */
char *canon_heap_begin_anew(size_t alignment);

/* Around a fork: nobody else is in the middle of something then, which the child would inherit. */
void canon_heap_fork_begins(void);
void canon_heap_fork_ended(void);

#endif
