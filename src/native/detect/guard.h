/*
 * guard.h: the program's heap with guards, for `canon record --detect`: bytes around each block that nobody
 * may write, and a quarantine for what was freed.
 *
 *   block:  | guard (16) | memory, as much as was asked for | guard (16 to 31) |
 *
 * What is known of a block is kept apart, where the program does not write. Blocks have numbers: the lane
 * that has allocated it, and how many that lane had allocated before. A replay gives the same numbers.
 */
#ifndef CANON_NATIVE_DETECT_GUARD_H
#define CANON_NATIVE_DETECT_GUARD_H

#include "native/detect/findings.h"
#include "native/native.h"

struct canon_guards {
    bool on;
    bool overflow; /* look at guards */
    bool uaf;      /* quarantine, and look at what was freed */
};
extern struct canon_guards canon_guards;

/* Before the program's first own allocation. */
void canon_guards_start(bool overflow, bool uaf);

/* The heap has taken fresh memory for blocks of a class. */
enum { CANON_GUARD_GRANULE = 64 << 10 }; /* what it takes is a multiple of that */
void canon_guard_run(int lane, char *memory, size_t size, int class);

/* malloc and its family. NULL: there is no memory. */
void *canon_guard_get(size_t wanted, size_t alignment, bool zero);
void canon_guard_free(void *memory);
void *canon_guard_resize(void *memory, size_t wanted);
size_t canon_guard_size(void *memory);

/* Looks at all guards and at the quarantines: at the end of the program. */
void canon_guards_check(void);

/* The block of that lane and number, if it is there: in `block->address`, its memory. */
bool canon_guard_find(const struct canon_trouble *wanted, struct canon_trouble *block, bool *freed);

/* Whether free has left this value in a block that is in quarantine: which block. */
bool canon_guard_left(uint64_t value, struct canon_trouble *trouble);

#endif
