/*
 * debug.h: `canon record --in-situ --debug`: the program stands before its end, and waits for a debugger,
 * which puts it back to the last snapshot as often as it likes (canon-gdb.py). The keeper's side of that.
 */
#ifndef CANON_NATIVE_INSITU_DEBUG_H
#define CANON_NATIVE_INSITU_DEBUG_H

#include <stdbool.h>

/* What the debugger wants; it writes that into the struct kept. */
enum canon_debug_wish { CANON_DEBUG_NOTHING, CANON_DEBUG_ROLL_BACK, CANON_DEBUG_LEAVE };

/* Once, by the keeper: any process of the user's may be the debugger. */
void canon_debug_permit(void);
/* Its wish; waits for one, or until `is_over`: then it is nothing. To leave: it was there and has gone, or a
 * signal wants to end the program. */
enum canon_debug_wish canon_debug_await(bool (*is_over)(void));

/* The debugger stops here: all is as it was at the snapshot, and threads are about to go; */
void canon_debug_rolled_back(void);
/* the epoch has come to its end once more, or has taken another way. */
void canon_debug_epoch_ended(void);

#endif
