/*
 * snapshot.h: what the process has in its writable memory, kept and put back. All of it, canon's own
 * included, except the zone of what is kept (zones.h), and memory that is shared.
 *
 * The caller sees to it that nothing runs meanwhile, and stands in that zone itself.
 */
#ifndef CANON_NATIVE_INSITU_SNAPSHOT_H
#define CANON_NATIVE_INSITU_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Once. False if there is no memory for it. */
bool canon_snapshot_start(void);
/* Keeps everything as it is now, in place of what was kept before. */
bool canon_snapshot_take(void);
/* Puts everything back; false if something cannot be: what, is in canon_snapshot_problem. */
bool canon_snapshot_restore(void);
const char *canon_snapshot_problem(void);

/* What a page had in the snapshot; NULL: it was not in memory. And room for more, which is never given back.
 */
const char *canon_snapshot_copy(const char *page);
char *canon_snapshot_room(size_t size);

/* Whether only pages that were written are looked at (userfaultfd), and how many were copied last. */
bool canon_snapshot_is_partial(void);
size_t canon_snapshot_copied(void);

#endif
