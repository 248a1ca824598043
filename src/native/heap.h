/*
 * heap.h: the program's heap: malloc and its family, with addresses that depend on nothing but what the thread does.
 *
 * Each lane has a heap of its own, at a fixed address. A block that is freed goes to the heap of who frees it; what
 * gathers there beyond some size goes to a pool that all share, in the order of threads (ordered.h).
 */
#ifndef CANON_NATIVE_HEAP_H
#define CANON_NATIVE_HEAP_H

#include "native/native.h"

/* The heap of a lane; 0 is that of threads without one. */
struct canon_heap *canon_heap_at(int lane);

/* ---- sizes, for the tests ------------------------------------------------------------------------------ */

enum { CANON_HEAP_CLASSES = 128, CANON_HEAP_HEADER = 16 };
/* The class for blocks of `bytes` with their header, and the bytes of its blocks. -1: too large for any. */
int canon_heap_class(size_t bytes);
size_t canon_heap_class_size(int class);

#endif
