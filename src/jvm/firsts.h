/*
 * firsts.h: what the strand that asks first decides for all: an object's identity hash code, the name of a
 * hidden class. Where the order of threads is kept, it is an event of that strand. At replay, who asks before
 * it does waits.
 */
#ifndef CANON_JVM_FIRSTS_H
#define CANON_JVM_FIRSTS_H

#include "jvm/threads.h"

/* What is asked for; `key` tells those of different classes apart. */
struct canon_first {
    const char *name;
    uint32_t key;
};

/* Whether what the current thread asks for is its strand's to count: not in work that has no order. */
bool canon_first_counts(const struct canon_thread *thread);
enum canon_first_turn {
    CANON_FIRST_MINE,  /* it is for the current thread to decide: then canon_first_decided follows */
    CANON_FIRST_LATER, /* replayer: another strand decides; it comes back after a moment */
    CANON_FIRST_NONE,  /* replayer: no strand does: it was code without order */
};
/* `tries` is how often it was asked before. */
enum canon_first_turn canon_first_turn(struct canon_thread *thread, struct canon_first first, int tries);
/* The current thread has decided, or found (not `won`) that another one just had. */
void canon_first_decided(struct canon_thread *thread, struct canon_first first, bool won);

#endif
