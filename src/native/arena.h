/*
 * arena.h: memory of the runtime's own, apart from the program's heap. Thread-safe; also in signal handlers
 * that interrupt the program, but not those that interrupt the runtime.
 */
#ifndef CANON_NATIVE_ARENA_H
#define CANON_NATIVE_ARENA_H

#include <stddef.h>

void *canon_arena_get(size_t size);
void canon_arena_put(void *memory);
size_t canon_arena_size(const void *memory);
/* A place for a mapping of the runtime's. */
void *canon_arena_place(size_t size);

/* Around a fork. */
void canon_arena_lock(void);
void canon_arena_unlock(void);

/* A lock that is held for moments, by a thread that is inside meanwhile. */
void canon_spin_lock(_Atomic int *lock);
void canon_spin_unlock(_Atomic int *lock);

#endif
