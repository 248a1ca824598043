/*
 * locks.h: locks of libraries that are not the JDK's. They are libc's, in recordings and in replays; canon
 * sees to it that threads of the program get them in the recorded order. A library's own threads have no
 * order.
 */
#ifndef CANON_JVM_LOCKS_H
#define CANON_JVM_LOCKS_H

#include "jvm/natives.h"

/* By the name in a SPECIAL row: mutexes and spin locks, semaphores, condition variables; NULL: none of these.
 */
canon_special_fn canon_lock_special(const char *name);

/* The current thread, if it has an order by edges, has done something to what is at the address, and comes
 * after all others that had. */
void canon_lock_touch(uint64_t address);

#endif
